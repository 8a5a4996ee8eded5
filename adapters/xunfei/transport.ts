import {
  isObject,
  UpstreamError,
  type AttemptContext,
  type UpstreamRequest,
  type UpstreamResponse,
  type UpstreamSocket,
} from '#core'
import { parseLoosely, readFailure } from '#adapter-kit'

const HANDSHAKE_MS = 5_000

/** Sends the frame over a connection of its own; the frames that come back are the lines of the answer. */
export async function talk(
  { url, body }: UpstreamRequest,
  { http, httpOptions }: AttemptContext,
): Promise<UpstreamResponse> {
  const options = { ...httpOptions, firstByteTimeoutMs: HANDSHAKE_MS }
  const socket = await http.webSocket(url, options).catch(readRefusal)
  socket.send(body as string)
  return { status: 200, headers: { 'content-type': 'application/x-ndjson' }, body: linesOf(socket) }
}

/** A refused handshake holds the text of its answer. */
function readRefusal(error: unknown): never {
  if (!(error instanceof UpstreamError)) throw error
  const { status, message } = error.failure
  throw new UpstreamError(readFailure(status, parseLoosely(message)), undefined, { cause: error })
}

async function* linesOf(socket: UpstreamSocket): AsyncGenerator<Uint8Array> {
  try {
    for await (const frame of socket.messages) {
      const text = typeof frame === 'string' ? frame : Buffer.from(frame).toString('utf8')
      yield Buffer.from(`${text.replaceAll('\n', ' ')}\n`)
      // The server leaves it to us to close.
      if (isLast(text)) return
    }
  } finally {
    socket.close()
  }
}

/** A frame that cannot be read ends the connection too; the reader reports it. */
function isLast(text: string): boolean {
  const frame = parseLoosely(text)
  const header = isObject(frame) ? frame.header : undefined
  return !isObject(header) || header.status === 2 || (header.code ?? 0) !== 0
}
