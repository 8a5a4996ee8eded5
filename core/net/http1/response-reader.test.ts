import { once } from 'node:events'
import { request as nodeRequest, type IncomingMessage } from 'node:http'
import { createServer, type AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../../test/harness/seeded-random.ts'
import { ResponseReader } from './response-reader.ts'

interface Read {
  status: number
  headers: Record<string, string>
  body: string
  isWhole: boolean
  isPersistent: boolean
}

/** Reads an answer that comes in these pieces; what a connection gives is its reader's, so each piece is a copy. */
function readPieces(pieces: readonly Buffer[], method = 'POST', isClosed = false): Read {
  const reader = new ResponseReader()
  const read: Read = { status: 0, headers: {}, body: '', isWhole: false, isPersistent: false }
  const sink = {
    onHead: (head: Pick<Read, 'status' | 'headers'>) => void Object.assign(read, head),
    onData: (bytes: Buffer) => void (read.body += bytes.toString('latin1')),
  }
  reader.expect(method)
  for (const piece of pieces) read.isWhole = reader.read(Buffer.from(piece), sink)
  if (isClosed) read.isWhole = reader.close()
  return { ...read, isPersistent: reader.isPersistent }
}

const answer = (...lines: string[]) => Buffer.from(lines.join('\r\n'), 'latin1')
const ok = 'HTTP/1.1 200 OK'

/** Whole, byte by byte, and cut once at each place. */
function* cuts(bytes: Buffer): Generator<Buffer[]> {
  yield [bytes]
  yield Array.from(bytes, (_, at) => bytes.subarray(at, at + 1))
  for (let at = 1; at < bytes.length; at += 1) yield [bytes.subarray(0, at), bytes.subarray(at)]
}

const understood: [name: string, bytes: Buffer, expected: Partial<Read>, method?: string][] = [
  ['a counted body', answer(ok, 'Content-Length: 5', '', 'hello'), { body: 'hello' }],
  ['no reason', answer('HTTP/1.1 404', 'content-length:0', '', ''), { status: 404, body: '' }],
  [
    'spaces around values, and a list in two fields',
    answer(ok, 'X-A: \t one  ', 'x-a:two', 'X-Empty:', 'content-length: 0', '', ''),
    { headers: { 'x-a': 'one, two', 'x-empty': '', 'content-length': '0' } },
  ],
  [
    'chunks with extensions and trailers',
    answer(
      ok,
      'Transfer-Encoding: chunked',
      '',
      '5;a="b"',
      'hello',
      '00A ',
      ' wonderful',
      '0',
      'x: y',
      '',
      '',
    ),
    { body: 'hello wonderful' },
  ],
  [
    'heads that only say to wait',
    answer(
      'HTTP/1.1 103 Early Hints',
      'link: x',
      '',
      'HTTP/1.1 100 Continue',
      '',
      ok,
      'content-length: 1',
      '',
      'x',
    ),
    { status: 200, headers: { 'content-length': '1' }, body: 'x' },
  ],
  ['no content', answer('HTTP/1.1 204 No Content', '', ''), { status: 204, body: '' }],
  ['the head of a body', answer(ok, 'content-length: 100', '', ''), { body: '' }, 'HEAD'],
  [
    'names that objects have of their own',
    answer(ok, 'constructor: a', '__proto__: b', 'toString: c', 'content-length: 0', '', ''),
    { headers: { constructor: 'a', tostring: 'c', 'content-length': '0' } },
  ],
  [
    'a last connection',
    answer(ok, 'Connection: Close', 'content-length: 0', '', ''),
    { isPersistent: false },
  ],
  [
    'an old server',
    answer('HTTP/1.0 200 OK', 'content-length: 0', '', ''),
    { isPersistent: false },
  ],
  [
    'an old server that stays',
    answer('HTTP/1.0 200 OK', 'connection: keep-alive', 'content-length: 0', '', ''),
    { isPersistent: true },
  ],
]

describe('an answer, however its bytes are cut', () => {
  it.each(understood)('is understood: %s', (_name, bytes, expected, method) => {
    for (const pieces of cuts(bytes))
      expect(readPieces(pieces, method)).toMatchObject({
        status: 200,
        isWhole: true,
        isPersistent: true,
        ...expected,
      })
  })

  it('without a length ends with its connection', () => {
    const bytes = answer(ok, '', 'to the end')
    for (const pieces of cuts(bytes)) {
      expect(readPieces(pieces).isWhole).toBe(false)
      expect(readPieces(pieces, 'GET', true)).toMatchObject({
        body: 'to the end',
        isWhole: true,
        isPersistent: false,
      })
    }
  })

  it.each([
    ['its head', answer(ok, 'content-le')],
    ['its body', answer(ok, 'content-length: 5', '', 'hell')],
    ['a chunk', answer(ok, 'transfer-encoding: chunked', '', '5', 'hel')],
    ['its chunks', answer(ok, 'transfer-encoding: chunked', '', '5', 'hello', '')],
    ['its last chunk', answer(ok, 'transfer-encoding: chunked', '', '0', '')],
  ])('is not whole when its connection closes in %s', (_name, bytes) => {
    expect(readPieces([bytes], 'GET', true).isWhole).toBe(false)
  })

  it.each([
    ['counted', answer(ok, 'content-length: 1', '', 'xHTTP/1.1 200 OK')],
    ['chunked', answer(ok, 'transfer-encoding: chunked', '', '1', 'x', '0', '', 'HTTP/1.1 200 OK')],
  ])('that is %s gives nothing of what comes after it, and no second use', (_name, bytes) => {
    expect(readPieces([bytes])).toMatchObject({ body: 'x', isWhole: true, isPersistent: false })
  })
})

describe('an answer whose frame breaks', () => {
  it('has given what came before', () => {
    const reader = new ResponseReader()
    let body = ''
    const sink = {
      onHead: () => undefined,
      onData: (bytes: Buffer) => void (body += bytes.toString()),
    }
    reader.expect('POST')
    const bytes = answer(ok, 'transfer-encoding: chunked', '', '5', 'hello', '6', ' world', 'x')
    expect(() => reader.read(bytes, sink)).toThrow(
      expect.objectContaining({ code: 'INVALID_CHUNK_SIZE' }),
    )
    expect(body).toBe('hello world')
  })
})

describe('an answer that could be understood in two ways', () => {
  it.each([
    [
      'both lengths',
      'AMBIGUOUS_LENGTH',
      answer(ok, 'content-length: 3', 'transfer-encoding: chunked', '', 'abc'),
    ],
    [
      'two lengths',
      'INVALID_CONTENT_LENGTH',
      answer(ok, 'content-length: 3', 'content-length: 4', '', 'abcd'),
    ],
    ['a signed length', 'INVALID_CONTENT_LENGTH', answer(ok, 'content-length: +3', '', 'abc')],
    [
      'a length beyond numbers',
      'INVALID_CONTENT_LENGTH',
      answer(ok, `content-length: ${'9'.repeat(20)}`, '', 'abc'),
    ],
    [
      'chunks inside a coding',
      'INVALID_TRANSFER_ENCODING',
      answer(ok, 'transfer-encoding: chunked, gzip', '', '0'),
    ],
    [
      'chunks in chunks',
      'INVALID_TRANSFER_ENCODING',
      answer(ok, 'transfer-encoding: chunked, chunked', '', '0'),
    ],
    [
      'a coding like chunks',
      'INVALID_TRANSFER_ENCODING',
      answer(ok, 'transfer-encoding: xchunked', '', '0'),
    ],
    ['no size', 'INVALID_CHUNK_SIZE', answer(ok, 'transfer-encoding: chunked', '', ';x', '')],
    [
      'a size with a prefix',
      'INVALID_CHUNK_SIZE',
      answer(ok, 'transfer-encoding: chunked', '', '0x5', 'hello'),
    ],
    [
      'a size beyond numbers',
      'INVALID_CHUNK_SIZE',
      answer(ok, 'transfer-encoding: chunked', '', 'f'.repeat(13), ''),
    ],
    [
      'a chunk longer than its size',
      'INVALID_CHUNK',
      answer(ok, 'transfer-encoding: chunked', '', '2', 'hello', ''),
    ],
    [
      'a bare line end after a size',
      'INVALID_CHUNK_SIZE',
      Buffer.from(`${ok}\r\ntransfer-encoding: chunked\r\n\r\n5\nhello`),
    ],
    [
      'a bare line end in an extension',
      'INVALID_CHUNK',
      Buffer.from(`${ok}\r\ntransfer-encoding: chunked\r\n\r\n5;a\nhello`),
    ],
    [
      'a bare line end in the head',
      'INVALID_HEADER',
      Buffer.from(`${ok}\r\na: b\ncontent-length: 3\r\n\r\nabc`),
    ],
    [
      'a bare line end behind the status',
      'INVALID_STATUS_LINE',
      Buffer.from(`${ok}\ncontent-length: 3\r\n\r\nabc`),
    ],
    ['a space before the colon', 'INVALID_HEADER', answer(ok, 'content-length : 3', '', 'abc')],
    ['a folded line', 'INVALID_HEADER', answer(ok, 'x-a: b', ' content-length: 3', '', 'abc')],
    ['a line without a colon', 'INVALID_HEADER', answer(ok, 'content-length', '', 'abc')],
    ['a NUL', 'INVALID_HEADER', answer(ok, 'x-a: \0', '', 'abc')],
    ['another protocol', 'INVALID_STATUS_LINE', answer('SSH-2.0-OpenSSH_9.2', '', '')],
    ['a status of four digits', 'INVALID_STATUS_LINE', answer('HTTP/1.1 2000 OK', '', '')],
    [
      'an upgrade that nobody asked for',
      'UNASKED_UPGRADE',
      answer('HTTP/1.1 101 Go', 'upgrade: x', '', ''),
    ],
    ['a head without end', 'HEADERS_TOO_LARGE', answer(ok, `x-a: ${'b'.repeat(40_000)}`)],
    [
      'extensions without end',
      'INVALID_CHUNK',
      answer(ok, 'transfer-encoding: chunked', '', `5;${'b'.repeat(70_000)}`),
    ],
  ])('is refused: %s', (_name, code, bytes) => {
    expect(() => readPieces([bytes])).toThrow(expect.objectContaining({ code }))
    const middle = Math.floor(bytes.length / 2)
    expect(() => readPieces([bytes.subarray(0, middle), bytes.subarray(middle)])).toThrow(
      expect.objectContaining({ code }),
    )
  })
})

describe('an answer whose head never ends', () => {
  it.each([
    ['the greeting of a mail server', 'INVALID_STATUS_LINE', '220 mail.example ESMTP\r\n'],
    ['an alert of TLS', 'INVALID_STATUS_LINE', '\x15\x03\x01\x00\x02\x02\x46'],
    ['another version of HTTP', 'INVALID_STATUS_LINE', 'HTTP/2'],
    ['lines that end in LF alone', 'INVALID_STATUS_LINE', `${ok}\ncontent-length: 0\n\n`],
    ['a line that ends in LF alone', 'INVALID_HEADER', `${ok}\r\ncontent-length: 0\n\r`],
  ])('is refused as soon as that is known: %s', (_name, code, text) => {
    const bytes = Buffer.from(text, 'latin1')
    for (const pieces of cuts(bytes))
      expect(() => readPieces(pieces)).toThrow(expect.objectContaining({ code }))
  })

  it('is refused where it only says to wait, thousands of times', () => {
    const hints = (count: number) =>
      Buffer.from('HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n'.repeat(count))
    expect(readPieces([hints(1_000)]).isWhole).toBe(false)
    expect(() => readPieces([hints(1_000), hints(1)])).toThrow(
      expect.objectContaining({ code: 'TOO_MANY_WAITING_HEADS' }),
    )
  })
})

/** An answer of chance: any status with a body, any lengths, bytes of all kinds. */
function randomAnswer(random: () => number): Buffer {
  const number = (most: number) => Math.floor(random() * most)
  const bytes = Buffer.from(Array.from({ length: number(3000) }, () => number(256)))
  const head = [`HTTP/1.1 ${200 + number(300)} Any`]
  for (let at = number(20); at > 0; at -= 1)
    head.push(`X-${number(12)}: ${'é v'.repeat(number(9))}`)
  if (number(3) === 0)
    return Buffer.concat([answer(...head, `Content-Length: ${bytes.length}`, '', ''), bytes])
  const parts = [answer(...head, 'Transfer-Encoding: chunked', '', '')]
  for (let at = 0; at < bytes.length; ) {
    const chunk = bytes.subarray(at, at + 1 + number(400))
    parts.push(
      answer(`${chunk.length.toString(16)}${number(4) === 0 ? ';ext=1' : ''}`, ''),
      chunk,
      answer('', ''),
    )
    at += chunk.length
  }
  return Buffer.concat([...parts, answer('0', '', '')])
}

async function asNodeReads(port: number): Promise<Pick<Read, 'status' | 'headers' | 'body'>> {
  const request = nodeRequest({ port, host: '127.0.0.1', method: 'POST', agent: false }).end()
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  response.setEncoding('latin1')
  let body = ''
  for await (const text of response) body += String(text)
  return {
    status: response.statusCode ?? 0,
    headers: response.headers as Record<string, string>,
    body,
  }
}

describe('beside another implementation', () => {
  it("says the same as Node's own client of answers of chance", async () => {
    const random = seededRandom(20_260_101)
    let bytes: Buffer = Buffer.alloc(0)
    const server = createServer((socket) => {
      socket.once('data', () => socket.end(bytes))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    for (let round = 0; round < 150; round += 1) {
      bytes = randomAnswer(random)
      const pieces: Buffer[] = []
      for (let at = 0; at < bytes.length; ) {
        const length = 1 + Math.floor(random() ** 3 * 900)
        pieces.push(bytes.subarray(at, at + length))
        at += length
      }
      const { status, headers, body, isWhole } = readPieces(pieces)
      expect(isWhole).toBe(true)
      expect({ status, headers, body }).toEqual(await asNodeReads(port))
    }
    server.close()
  })
})
