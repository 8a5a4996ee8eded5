// An upstream that costs next to nothing: raw sockets, answers made beforehand.
import { type Server, type Socket, createServer } from 'node:net'
import type { AddressInfo } from 'node:net'

/** Events of a streamed answer, usage and `[DONE]` included. */
export const streamEvents = 130
/** Written together; providers' events arrive in such small groups. */
const eventsPerWrite = 10

export interface CannedUpstream {
  url: string
  close(): void
}

/** A request for a stream is told by `"stream":true` in its body; every other one gets the plain answer. */
export async function startCannedUpstream(): Promise<CannedUpstream> {
  const server = createServer((socket) => {
    socket.setNoDelay(true)
    const reader = new RequestReader()
    socket.on('data', (data) => {
      for (const isStream of reader.push(data)) {
        if (isStream) writeStream(socket)
        else socket.write(plainAnswer)
      }
    })
    socket.on('error', () => socket.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${portOf(server)}`, close: () => server.close() }
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port
}

/** Finds whole requests with a Content-Length in what a connection sends. */
class RequestReader {
  #rest: Buffer = Buffer.alloc(0)

  push(data: Buffer): boolean[] {
    this.#rest = this.#rest.length === 0 ? data : Buffer.concat([this.#rest, data])
    const requests: boolean[] = []
    for (;;) {
      const headEnd = this.#rest.indexOf('\r\n\r\n')
      if (headEnd < 0) return requests
      const head = this.#rest.toString('latin1', 0, headEnd)
      const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0)
      const end = headEnd + 4 + length
      if (this.#rest.length < end) return requests
      requests.push(this.#rest.subarray(headEnd, end).includes('"stream":true'))
      this.#rest = this.#rest.subarray(end)
    }
  }
}

const usage = { prompt_tokens: 60, completion_tokens: 128, total_tokens: 188 }

const plainBody = JSON.stringify({
  id: 'chatcmpl-bench',
  object: 'chat.completion',
  created: 1_767_322_800,
  model: 'bench-model',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: 'The quick brown fox jumps over the lazy dog.' },
      finish_reason: 'stop',
    },
  ],
  usage,
})

const plainAnswer = Buffer.from(
  `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${plainBody.length}\r\n\r\n${plainBody}`,
)

function event(choices: unknown[], more: object = {}): string {
  const chunk = {
    id: 'chatcmpl-bench',
    object: 'chat.completion.chunk',
    created: 1_767_322_800,
    model: 'bench-model',
    choices,
    ...more,
  }
  return `data: ${JSON.stringify(chunk)}\n\n`
}

const events = [
  ...Array.from({ length: streamEvents - 3 }, (_, index) =>
    event([{ index: 0, delta: { content: `word${index} ` }, finish_reason: null }]),
  ),
  event([{ index: 0, delta: {}, finish_reason: 'stop' }]),
  event([], { usage }),
  'data: [DONE]\n\n',
]

const streamWrites = Array.from(
  { length: Math.ceil(events.length / eventsPerWrite) },
  (_, index) => {
    const text = events.slice(index * eventsPerWrite, (index + 1) * eventsPerWrite).join('')
    return Buffer.from(`${text.length.toString(16)}\r\n${text}\r\n`)
  },
)

const streamHead = Buffer.from(
  'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n',
)

function writeStream(socket: Socket): void {
  let next = 0
  socket.write(streamHead)
  const step = () => {
    const piece = streamWrites[next++]
    if (piece === undefined) socket.write('0\r\n\r\n')
    else {
      socket.write(piece)
      setImmediate(step)
    }
  }
  step()
}
