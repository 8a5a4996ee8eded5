import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WebSocketServer, type WebSocket } from 'ws'
import { createHttpClient } from './http-client.ts'

let server: WebSocketServer
let url: string
const client = createHttpClient({ ssrfAllow: [] })

beforeEach(async () => {
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await once(server, 'listening')
  url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/realtime?model=m`
})
afterEach(async () => {
  for (const socket of server.clients) socket.terminate()
  server.close()
})

const onConnection = (use: (socket: WebSocket) => void): void => void server.on('connection', use)

describe('a WebSocket upstream', () => {
  it('takes headers and a protocol, and carries text and bytes both ways', async () => {
    onConnection((socket) => {
      socket.on('message', (data: Buffer, isBinary) => socket.send(data, { binary: isBinary }))
    })
    const connected = once(server, 'connection')
    const socket = await client.webSocket(url, {
      headers: { authorization: 'Bearer sk-1' },
      protocols: ['realtime', 'other'],
    })
    const [, request] = await connected
    expect(request.headers.authorization).toBe('Bearer sk-1')
    expect(request.url).toBe('/realtime?model=m')
    expect(socket.protocol).toBe('realtime')
    const messages = socket.messages[Symbol.asyncIterator]()
    socket.send('héllo')
    expect((await messages.next()).value).toBe('héllo')
    socket.send(new Uint8Array([1, 2, 3]))
    expect(Buffer.from((await messages.next()).value as Uint8Array)).toEqual(Buffer.from([1, 2, 3]))
    socket.close(1000)
    expect(await messages.next()).toEqual({ done: true, value: undefined })
  })

  it('ends the messages when the peer closes', async () => {
    onConnection((socket) => {
      socket.send('last')
      socket.close(1011, 'done')
    })
    const seen: unknown[] = []
    for await (const message of (await client.webSocket(url)).messages) seen.push(message)
    expect(seen).toEqual(['last'])
  })

  it('throws when the connection breaks', async () => {
    onConnection((socket) => socket.send('one', () => socket.terminate()))
    const messages = (await client.webSocket(url)).messages[Symbol.asyncIterator]()
    expect((await messages.next()).value).toBe('one')
    await expect(messages.next()).rejects.toMatchObject({ code: 'net.unreachable' })
  })

  it('holds a fast peer back until its messages are read', async () => {
    const block = 'x'.repeat(256 * 1024)
    let peer: WebSocket | undefined
    onConnection((socket) => {
      peer = socket
      for (let index = 0; index < 200; index += 1) socket.send(block)
      socket.close()
    })
    const socket = await client.webSocket(url)
    let count = 0
    for await (const message of socket.messages) {
      // The first message is here, but 50 MB cannot have left: this side has stopped reading.
      if (count === 0) expect(peer?.bufferedAmount).toBeGreaterThan(10 * 1024 * 1024)
      count += message.length === block.length ? 1 : 0
    }
    expect(count).toBe(200)
  })

  it('stops at a signal', async () => {
    const gone = new Error('client left')
    const controller = new AbortController()
    const socket = await client.webSocket(url, { signal: controller.signal })
    const waiting = socket.messages[Symbol.asyncIterator]().next()
    controller.abort(gone)
    await expect(waiting).rejects.toBe(gone)
  })

  it('closes with a code and reason that the protocol allows', async () => {
    const connected = once(server, 'connection')
    const socket = await client.webSocket(url)
    const [peer] = await connected
    const closed = once(peer as WebSocket, 'close')
    socket.close(1006, 'é'.repeat(100))
    const [code, reason] = await closed
    expect(code).toBe(1000)
    expect(String(reason)).toBe('é'.repeat(61))
  })

  it('rejects a refused handshake with the status and body', async () => {
    const refusing = createServer().listen(0, '127.0.0.1')
    await once(refusing, 'listening')
    refusing.on('upgrade', (_request, socket) => {
      socket.end('HTTP/1.1 401 No\r\nContent-Length: 15\r\nRetry-After: 7\r\n\r\n{"error":"key"}')
    })
    const port = (refusing.address() as AddressInfo).port
    await expect(client.webSocket(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({
      name: 'UpstreamError',
      failure: { status: 401, message: '{"error":"key"}', retryAfterSeconds: 7 },
    })
    refusing.close()
  })

  it('is guarded like a request', async () => {
    await expect(client.webSocket(url, { trust: 'user' })).rejects.toMatchObject({
      code: 'net.forbidden_address',
    })
    await expect(client.webSocket('ws://169.254.169.254/')).rejects.toMatchObject({
      code: 'net.forbidden_address',
    })
    await expect(client.webSocket('ftp://example.com/')).rejects.toMatchObject({
      code: 'net.invalid_url',
    })
  })
})
