import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  addChannel,
  addCustomer,
  type App,
  type Customer,
  fakeUpstream,
  type FakeUpstream,
  setPrice,
  startApp,
} from '#test'

let app: App
let upstream: FakeUpstream
let customer: Customer

beforeAll(async () => {
  upstream = await fakeUpstream()
  app = await startApp({ isWithin: true })
  await setPrice(app.root, 'fake-model', 1)
  await addChannel(app.root, { base_url: upstream.url, models: 'fake-model' })
  customer = await addCustomer(app.root, 'upgrader', 1_000_000)
})

afterAll(async () => {
  await app.close()
  await upstream.close()
})

/** As Java's HTTP client sends them with every request over plain HTTP. */
const h2c = ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQ']
const webSocket = [
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
]

async function dial(): Promise<Socket> {
  const { hostname, port } = new URL(app.url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  return socket
}

function send(socket: Socket, line: string, headers: readonly string[], body = ''): void {
  const length = body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]
  socket.write([`${line} HTTP/1.1`, 'Host: it', ...headers, ...length, '', body].join('\r\n'))
}

/** All that comes until the gateway ends the connection. */
async function untilClosed(socket: Socket): Promise<string> {
  let text = ''
  socket.on('data', (data: Buffer) => (text += data.toString()))
  socket.on('error', () => undefined)
  await once(socket, 'close')
  return text
}

/** One answer on a connection that stays open; its length stands in the headers. */
async function answer(socket: Socket): Promise<string> {
  let text = ''
  for await (const [data] of chunksOf(socket)) {
    text += data.toString()
    const [head = '', ...rest] = text.split('\r\n\r\n')
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1])
    if (Buffer.byteLength(rest.join('\r\n\r\n')) >= length) break
  }
  return text
}

async function* chunksOf(socket: Socket): AsyncGenerator<[Buffer]> {
  for (;;) yield (await once(socket, 'data')) as [Buffer]
}

describe('an upgrade that the gateway has no use for', () => {
  it('is ignored, body and connection included', async () => {
    const socket = await dial()
    const headers = [
      ...h2c,
      `Authorization: Bearer ${customer.key}`,
      'Content-Type: application/json',
    ]
    const messages = [{ role: 'user', content: 'Hi' }]
    const body = JSON.stringify({ model: 'fake-model', messages })
    for (let round = 0; round < 2; round += 1) {
      send(socket, 'POST /v1/chat/completions', headers, body)
      const text = await answer(socket)
      expect(text).toMatch(/^HTTP\/1\.1 200 /)
      expect(text).toContain('Hello from the fake provider.')
    }
    socket.destroy()
  })

  it.each([
    { line: 'GET /api/status', status: 200 },
    { line: 'GET /', status: 200 },
    { line: 'GET /v1/models', status: 401 },
    { line: 'DELETE /api/status', status: 404 },
    { line: 'GET /v1/realtime?model=m', status: 401 },
    { line: 'GET /nothing/at/all', status: 200 },
    { line: 'GET /nothing/at/all.json', status: 404 },
  ])('does not change the answer of $line', async ({ line, status }) => {
    for (const upgrade of ['h2c', 'TLS/1.0', 'made-up']) {
      const socket = await dial()
      send(socket, line, ['Connection: Upgrade', `Upgrade: ${upgrade}`])
      expect(await answer(socket)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
      socket.destroy()
    }
  })
})

describe('a WebSocket handshake where none is served', () => {
  it.each(['/api/status', '/', '/v1/models', '/v1/nothing', '/console/whatever'])(
    'is answered 404 at %s, and the connection is closed',
    async (path) => {
      const sockets = await Promise.all(Array.from({ length: 20 }, dial))
      const ends = sockets.map(untilClosed)
      for (const socket of sockets) send(socket, `GET ${path}`, webSocket)
      for (const text of await Promise.all(ends)) {
        expect(text).toMatch(/^HTTP\/1\.1 404 /)
        expect(text).toContain('No WebSocket is served')
      }
    },
  )

  it('is closed too when it is refused, or is none', async () => {
    for (const headers of [webSocket, webSocket.slice(0, 3)]) {
      const socket = await dial()
      const end = untilClosed(socket)
      send(socket, 'GET /v1/realtime?model=m', headers)
      expect(await end).toMatch(/^HTTP\/1\.1 401 /)
    }
    const socket = await dial()
    const end = untilClosed(socket)
    send(socket, 'GET /v1/realtime?model=fake-model', [
      ...webSocket.slice(0, 3),
      `Authorization: Bearer ${customer.key}`,
    ])
    expect(await end).toMatch(/^HTTP\/1\.1 400 /)
  })
})
