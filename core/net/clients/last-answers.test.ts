import {
  Agent,
  createServer,
  get,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as passed } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { lastAnswers } from './last-answers.ts'

let server: Server
let port: number

beforeEach(async () => {
  server = createServer({ keepAliveTimeout: 75_000 }, (_request, response) => response.end('well'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  port = (server.address() as AddressInfo).port
})
afterEach(() => server.closeAllConnections())

function asked(agent?: Agent): Promise<{ connection: string | undefined; body: string }> {
  return new Promise((resolve, reject) => {
    const onAnswer = async (answer: IncomingMessage) =>
      resolve({ connection: answer.headers.connection, body: await text(answer) })
    get({ host: '127.0.0.1', port, agent }, (answer) => void onAnswer(answer)).on('error', reject)
  })
}

it('tells whoever keeps a connection with an answer that it was the last one', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  expect(await asked(agent)).toEqual({ connection: 'keep-alive', body: 'well' })
  const stopping = lastAnswers(server)
  expect(await asked(agent)).toEqual({ connection: 'close', body: 'well' })
  await (await stopping).closed
  await expect(asked()).rejects.toThrow('ECONNREFUSED')
})

it('lets a connection rest whose answer was under way as the stop began', async () => {
  const { promise: held, resolve: hold } = Promise.withResolvers<ServerResponse>()
  server.removeAllListeners('request')
  server.once('request', (_request, response: ServerResponse) => {
    response.write('we')
    hold(response)
    server.on('request', (_next, last: ServerResponse) => last.end('well'))
  })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const first = asked(agent)
  const response = await held
  const stopping = lastAnswers(server)
  // Ends before the stop would close what rests, and asks again after that.
  await passed(170)
  response.end('ll')
  await first
  await passed(120)
  expect(await asked(agent)).toEqual({ connection: 'close', body: 'well' })
  await (await stopping).closed
})

it('closes connections that rest', async () => {
  const agent = new Agent({ keepAlive: true })
  await asked(agent)
  const { closed } = await lastAnswers(server)
  await closed
})

it('answers those that have connected and were not taken yet', async () => {
  const answers = Array.from({ length: 30 }, async () => {
    const socket = connect(port, '127.0.0.1')
    socket.write('GET / HTTP/1.1\r\nHost: here\r\n\r\n')
    return text(socket)
  })
  // The machine connects them; this process has taken none.
  const { closed } = await lastAnswers(server)
  await closed
  for (const answer of await Promise.all(answers)) expect(answer).toMatch(/^HTTP\/1.1 200 .*well$/s)
})
