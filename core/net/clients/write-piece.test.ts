import { once } from 'node:events'
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { endWithBytes, endWithPiece, writeBytes, writePiece } from './write-piece.ts'

let answer: (response: ServerResponse) => void
const server = createServer((_request, response) => answer(response))
let port = 0

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  port = (server.address() as AddressInfo).port
})
afterAll(() => void server.close())

async function read(): Promise<{ text: string; response: IncomingMessage }> {
  const [response] = (await once(get({ port, host: '127.0.0.1' }), 'response')) as [IncomingMessage]
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  return { text: Buffer.concat(chunks).toString(), response }
}

async function readOf(request: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.end(request)
  const chunks: Buffer[] = []
  for await (const chunk of socket) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

describe('pieces of a chunked answer', () => {
  it('are what was written, whatever their characters, as text or bytes', async () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1 })
    const piece = fc.record({ text: fc.option(text, { nil: '' }), bytes: fc.option(text) })
    const last = fc.record({ text: fc.string({ unit: 'grapheme' }), before: fc.option(text) })
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { maxLength: 6 }),
        last,
        async (pieces, { text, before }) => {
          answer = (response) => {
            response.writeHead(200)
            for (const { text, bytes } of pieces)
              if (bytes === null) writePiece(response, text, /^[\0-\x7f]*$/.test(text))
              else writeBytes(response, text, Buffer.from(bytes))
            if (before === null) endWithPiece(response, text)
            else endWithBytes(response, 'at last ', Buffer.from(before), text)
          }
          const received = await read()
          const end = before === null ? text : `at last ${before}${text}`
          expect(received.text).toBe(
            pieces.map(({ text, bytes }) => text + (bytes ?? '')).join('') + end,
          )
          expect(received.response.complete).toBe(true)
          expect(received.response.headers['transfer-encoding']).toBe('chunked')
        },
      ),
      { numRuns: 100 },
    )
  })

  it('may be ended by Node', async () => {
    answer = (response) => {
      response.writeHead(200)
      writePiece(response, 'one ')
      writeBytes(response, 'two ', Buffer.from('three '))
      response.end('four')
    }
    expect((await read()).text).toBe('one two three four')
  })

  it('leave the connection to the next request', async () => {
    answer = (response) => {
      response.writeHead(200)
      writePiece(response, 'one ')
      endWithPiece(response, 'two')
    }
    const both = await readOf(
      'GET / HTTP/1.1\r\nhost: a\r\n\r\nGET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n',
    )
    expect(both.match(/4\r\none \r\n3\r\ntwo\r\n0\r\n\r\n/g)).toHaveLength(2)
  })

  it.each(['a', 'ä'])('may end with a long text of %s, before the next request', async (letter) => {
    const text = letter.repeat(20_000)
    answer = (response) => {
      response.writeHead(200)
      endWithPiece(response, text)
    }
    const both = await readOf(
      'GET / HTTP/1.1\r\nhost: a\r\n\r\nGET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n',
    )
    const chunk = `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n0\r\n\r\n`
    expect(both.split(chunk)).toHaveLength(3)
  })

  it('are no chunks for a client of HTTP/1.0', async () => {
    answer = (response) => {
      response.writeHead(200)
      writePiece(response, 'one ')
      writeBytes(response, 'two ', Buffer.from('three '))
      endWithBytes(response, '', Buffer.from('fo'), 'ur')
    }
    const received = await readOf('GET / HTTP/1.0\r\n\r\n')
    expect(received.slice(received.indexOf('\r\n\r\n'))).toBe('\r\n\r\none two three four')
  })

  it('tell of a client that does not read', async () => {
    const taken: boolean[] = []
    answer = (response) => {
      response.writeHead(200)
      for (let count = 0; count < 100; count += 1)
        taken.push(writePiece(response, 'a'.repeat(65_536)))
      endWithPiece(response, 'end')
    }
    const { text } = await read()
    expect(text).toHaveLength(100 * 65_536 + 3)
    expect(taken.at(-1)).toBe(false)
  })
})
