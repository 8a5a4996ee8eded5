import { once } from 'node:events'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { limitUnreadAnswers } from './unread-answers.ts'

const piece = 'a'.repeat(100_000)
const stallMs = 800

describe('a client that reads nothing', () => {
  let app: FastifyInstance
  let ended = 0

  async function* endless(): AsyncGenerator<string> {
    try {
      for (;;) yield await Promise.resolve(piece)
    } finally {
      ended += 1
    }
  }

  beforeAll(async () => {
    app = Fastify()
    limitUnreadAnswers(app, stallMs)
    app.get('/endless', (_request, reply) => reply.send(Readable.from(endless())))
    app.get('/large', () => piece.repeat(200))
    await app.listen({ port: 0, host: '127.0.0.1' })
  })
  afterAll(() => app.close())

  const ask = (path: string): Socket => {
    const { port } = app.server.address() as AddressInfo
    const socket = connect(port, '127.0.0.1')
    socket.write(`GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`)
    return socket.pause()
  }

  it.each(['/endless', '/large'])('loses its connection: %s', async (path) => {
    const served = once(app.server, 'connection') as Promise<[Socket]>
    const client = ask(path)
    const [connection] = await served
    await once(connection, 'close')
    client.destroy()
    expect(ended).toBe(path === '/endless' ? 1 : ended)
  })

  it('keeps it where it reads a little at a time, however long that takes', async () => {
    const client = ask('/large')
    const begun = performance.now()
    let length = 0
    client.on('data', (bytes: Buffer) => {
      length += bytes.length
      client.pause()
      setTimeout(() => client.resume(), 5)
    })
    client.resume()
    await expect.poll(() => length).toBeGreaterThan(200 * piece.length)
    client.destroy()
    expect(performance.now() - begun).toBeGreaterThan(stallMs)
  })
})
