// RFC 9112 section 3.2: a request with more than one Host is answered 400.
import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type App, startApp } from '#test'

let app: App

beforeAll(async () => {
  app = await startApp({ isWithin: true })
})
afterAll(() => app.close())

/** All that comes until the connection is closed. */
async function send(line: string, headers: readonly string[]): Promise<string> {
  const { hostname, port } = new URL(app.url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  socket.write([`${line} HTTP/1.1`, ...headers, '', ''].join('\r\n'))
  return text(socket)
}

describe('a request with two hosts', () => {
  it.each([
    ['GET /api/status', ['Host: it', 'Host: another']],
    ['GET /api/status', ['Host: it', 'X-Other: 1', 'hOST: it']],
    ['GET /', ['Host: it', 'Host: it']],
    ['GET /nowhere', ['Host: it', 'Host: it']],
    ['POST /v1/chat/completions', ['Host: it', 'Host: it', 'Content-Length: 0']],
    [
      'GET /v1/realtime?model=a',
      [
        'Host: it',
        'Host: it',
        'Connection: Upgrade',
        'Upgrade: websocket',
        'Sec-WebSocket-Version: 13',
        'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
      ],
    ],
  ])('is refused: %s with %j', async (line, headers) => {
    const answer = await send(line, headers)
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(answer).toContain('more than one header Host')
  })

  it('is told so in the dialect of the route', async () => {
    const answer = await send('POST /v1/messages', ['Host: a', 'Host: b', 'Content-Length: 0'])
    expect(answer).toContain('"type":"error"')
  })

  it('is another matter than one with one host', async () => {
    expect(await send('GET /api/status', ['Host: it', 'Connection: close'])).toContain('200 OK')
  })
})
