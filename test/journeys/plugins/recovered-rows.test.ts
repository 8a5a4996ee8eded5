// The log row of a session whose process was killed: the next start writes it, and its log sinks are told of it, once.
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { WebSocketServer } from 'ws'
import { addChannel, addCustomer, type App, consumptionRows, setPrice, startApp } from '#test'
import { type MadeFolders, makeFolders, serving } from '../../contained/plugin-folders.ts'
import { RealtimeClient, sendFrame as send } from '../../harness/counterparts/frame-clients.ts'

const model = 'gpt-realtime'
const usage = {
  total_tokens: 30,
  input_tokens: 10,
  output_tokens: 20,
  input_token_details: { text_tokens: 10, audio_tokens: 0 },
  output_token_details: { text_tokens: 20, audio_tokens: 0 },
}
/** Tells what it was told since the start. */
const recorder = serving(
  'row-teller',
  `const told = []
services.logSinks.add({ id: 'all', write: ({ type, model_name, quota }) => void told.push({ type, model_name, quota }) })
services.routes.add((app) => app.get('/api/row-teller', { config: { access: 'root' } }, () => envelope(told)))`,
)

interface WrittenRow {
  type: number
  model_name: string
  quota: number
}

let folders: MadeFolders
let app: App
let upstream: WebSocketServer

beforeAll(async () => {
  upstream = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await once(upstream, 'listening')
  upstream.on('connection', (socket) => {
    send(socket, { type: 'session.created', session: { id: 'sess_1' } })
    socket.on('message', () => {
      send(socket, { type: 'response.created', response: { id: 'resp_1' } })
      send(socket, { type: 'response.output_text.delta', delta: 'Hello there' })
      send(socket, {
        type: 'response.done',
        response: { id: 'resp_1', status: 'completed', usage },
      })
    })
  })
  folders = await makeFolders([recorder])
  app = await startApp({ env: { PLUGIN_DIRS: folders.path }, plugins: ['row-teller'] })
  const { port } = upstream.address() as AddressInfo
  await addChannel(app.root, { base_url: `http://127.0.0.1:${port}`, models: model })
  await setPrice(app.root, model, 1)
})
afterAll(async () => {
  await app.close()
  await folders.remove()
  for (const socket of upstream.clients) socket.terminate()
  upstream.close()
})

const writtenRows = async () =>
  (await app.root.get<WrittenRow[]>('/api/row-teller')).filter(
    ({ model_name: name }) => name === model,
  )

it('is told at the start that writes it, and at no later one', { timeout: 90_000 }, async () => {
  const customer = await addCustomer(app.root, 'talker', 1_000_000)
  const client = await new RealtimeClient(app.url, customer.key, { model }).opened()
  client.send({ type: 'response.create' })
  await client.frame('response.done')
  expect(await writtenRows()).toEqual([])
  // The starts after the kill need no process of their own.
  await app.goOnWithin('kill')
  const [row] = await consumptionRows(app.root, customer.username)
  expect(row?.quota).toBeGreaterThan(0)
  await expect.poll(writtenRows).toEqual([{ type: 2, model_name: model, quota: row?.quota }])
  await app.restart()
  expect(await consumptionRows(app.root, customer.username)).toHaveLength(1)
  expect(await writtenRows()).toEqual([])
})
