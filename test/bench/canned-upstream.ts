// An upstream that costs next to nothing: raw sockets, answers made beforehand. Streams come in small groups of events, as from providers.
import { type Server, type Socket, createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { type Answer, answers } from './answers.ts'

/** Written together; providers' events arrive in such small groups. */
const eventsPerWrite = 10

export interface Upstream {
  name: string
  /** Without the name of an answer, which comes first in each path. */
  url: string
  close(): void
}

export async function startCannedUpstream(port = 0): Promise<Upstream> {
  const written = new Map<string, Buffer[]>(
    Object.entries(answers).map(([name, answer]) => [name, writesOf(answer)]),
  )
  const server = createServer((socket) => {
    socket.setNoDelay(true)
    const reader = new RequestReader()
    socket.on('data', (data) => {
      for (const name of reader.push(data)) writeEach(socket, written.get(name) ?? [notFound])
    })
    socket.on('error', () => socket.destroy())
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${portOf(server)}`
  return { name: 'raw sockets of Node', url, close: () => server.close() }
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port
}

/** Finds whole requests with a Content-Length in what a connection sends, and which answer each wants. */
class RequestReader {
  #rest: Buffer = Buffer.alloc(0)

  push(data: Buffer): string[] {
    this.#rest = this.#rest.length === 0 ? data : Buffer.concat([this.#rest, data])
    const names: string[] = []
    for (;;) {
      const headEnd = this.#rest.indexOf('\r\n\r\n')
      if (headEnd < 0) return names
      const head = this.#rest.toString('latin1', 0, headEnd)
      const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0)
      const end = headEnd + 4 + length
      if (this.#rest.length < end) return names
      names.push(/^\w+ \/(\w+)/.exec(head)?.[1] ?? '')
      this.#rest = this.#rest.subarray(end)
    }
  }
}

const notFound = Buffer.from('HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n')

function writesOf({ contentType, pieces }: Answer): Buffer[] {
  const head = `HTTP/1.1 200 OK\r\ncontent-type: ${contentType}\r\n`
  const [first = ''] = pieces
  if (pieces.length === 1)
    return [Buffer.from(`${head}content-length: ${Buffer.byteLength(first)}\r\n\r\n${first}`)]
  const groups = Array.from({ length: Math.ceil(pieces.length / eventsPerWrite) }, (_, index) => {
    const text = pieces.slice(index * eventsPerWrite, (index + 1) * eventsPerWrite).join('')
    return Buffer.from(`${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`)
  })
  return [
    Buffer.from(`${head}transfer-encoding: chunked\r\n\r\n`),
    ...groups,
    Buffer.from('0\r\n\r\n'),
  ]
}

function writeEach(socket: Socket, pieces: readonly Buffer[]): void {
  let next = 0
  const step = () => {
    const piece = pieces[next++]
    if (piece === undefined || socket.destroyed) return
    socket.write(piece)
    if (next < pieces.length) setImmediate(step)
  }
  step()
}
