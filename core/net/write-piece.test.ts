import { once } from 'node:events'
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { endWithPiece, writePiece } from './write-piece.ts'

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
  it('are what was written, whatever their characters, also beside pieces of Node', async () => {
    const texts = fc.array(fc.string({ unit: 'grapheme', minLength: 1 }), { maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(texts, fc.string({ unit: 'grapheme' }), async (pieces, last) => {
        answer = (response) => {
          response.writeHead(200)
          pieces.forEach((piece, at) =>
            at % 3 === 2
              ? response.write(piece)
              : writePiece(response, piece, /^[\0-\x7f]*$/.test(piece)),
          )
          endWithPiece(response, last)
        }
        const { text, response } = await read()
        expect(text).toBe(pieces.join('') + last)
        expect(response.complete).toBe(true)
        expect(response.headers['transfer-encoding']).toBe('chunked')
      }),
      { numRuns: 60 },
    )
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

  it('are no chunks for a client of HTTP/1.0', async () => {
    answer = (response) => {
      response.writeHead(200)
      writePiece(response, 'one ')
      endWithPiece(response, 'two')
    }
    const told = await readOf('GET / HTTP/1.0\r\n\r\n')
    expect(told.slice(told.indexOf('\r\n\r\n'))).toBe('\r\n\r\none two')
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
