// Opens the upstream's end of a realtime session and makes sure that the upstream has accepted it.
import type { Adapter } from '../../contract/adapter.ts'
import type { UpstreamSocket } from '../../contract/http-client.ts'
import { ChannelFault, UpstreamError } from '../../contract/errors.ts'
import type { JsonObject } from '../../contract/json.ts'
import { readFailure } from '../../upstream-failures/read-failure-body.ts'
import type { Attempt } from '../attempt/attempt.ts'
import { relayErrors } from '../call/relay-errors.ts'
import { parseLoosely } from '../../wire/parse-loosely.ts'
import { parseFrame, within, type Frame } from './frames.ts'
import type { SessionProtocol } from './protocols/session-protocol.ts'

export interface RealtimeUpstream {
  socket: UpstreamSocket
  frames: AsyncIterator<Frame>
  /** The first frame, read in advance to see whether the upstream refuses. */
  first: Promise<IteratorResult<Frame>>
  /** What a message that names the model calls it. */
  model: string
  /** @throws AppError for a message that the upstream must not get */
  admit(message: JsonObject): void
}

/** What a client asks of the upstream. */
export interface SessionAsk {
  protocol: SessionProtocol
  /** The subprotocols that the client offered. */
  subprotocols: readonly string[]
  /** The client's first message, if it names the model. */
  opening: JsonObject | undefined
}

/** How long to wait for the first frame. Most services greet at once; some wait for the client to speak first. */
const GREETING_MS = 3_000

/** @throws ChannelFault, UpstreamError, net errors: another channel may be tried */
export async function openUpstream(
  attempt: Attempt,
  { protocol, subprotocols, opening }: SessionAsk,
): Promise<RealtimeUpstream> {
  const { adapter, context, extraHeaders } = attempt
  const { api } = protocol
  const operation = adapter.operations.realtime
  if (!operation || !(operation.apis ?? ['realtime']).includes(api))
    throw new ChannelFault('api_not_implemented', {
      en: 'The channel type of this channel has no such realtime API.',
      zh: '此类型的渠道不支持该实时接口。',
    })
  const target = await operation.endpoint({ ...context, protocols: subprotocols, api })
  const admit = (message: JsonObject) => target.admit?.(message)
  if (opening) admit(opening)
  const headers = extraHeaders ? extraHeaders.beside(target.headers) : target.headers
  // Long silence is normal in a spoken session.
  const { idleTimeoutMs: _none, ...options } = context.httpOptions
  const socket = await context.http
    .webSocket(target.url, { ...options, headers, protocols: target.protocols })
    .catch((error: unknown) => {
      throw readRefusal(error, attempt)
    })
  const frames = socket.messages[Symbol.asyncIterator]()
  const first = frames.next()
  const model = target.model ?? context.model
  if (opening && protocol.opening)
    socket.send(JSON.stringify(protocol.opening.withModel(opening, model)))
  try {
    refuseBadStart(await within(GREETING_MS, first), socket, attempt)
  } catch (error) {
    socket.close()
    throw error
  }
  return { socket, frames, first, model, admit }
}

/** An upstream may accept the handshake and refuse in its first frame, or by how it closes. */
function refuseBadStart(
  start: IteratorResult<Frame> | undefined,
  { ending }: UpstreamSocket,
  { adapter }: Attempt,
): void {
  if (!start) return
  if (start.done) throw ending?.reason ? closedFor(ending, adapter) : relayErrors.cut()
  const frame = parseFrame(start.value)
  if (frame?.['type'] !== 'error') return
  throw new UpstreamError(adapter.readError?.(200, frame, {}) ?? readFailure(200, frame))
}

/** Close codes that blame what was sent (RFC 6455, section 7.4.1). */
const blaming: ReadonlySet<number> = new Set([1003, 1007, 1008, 1009])

/** Services write the message of an error as the reason of a close frame, whose code is not the status of an answer. */
function closedFor({ code, reason }: { code: number; reason: string }, adapter: Adapter): Error {
  const isLimit = /quota|rate limit|exhausted/i.test(reason)
  const status = isLimit ? 429 : blaming.has(code) ? 400 : 502
  const body = { error: { message: reason } }
  return new UpstreamError(adapter.readError?.(status, body, {}) ?? readFailure(status, body))
}

/** Reads the body of a refused handshake. */
function readRefusal(error: unknown, { adapter }: Attempt): unknown {
  if (!(error instanceof UpstreamError)) return error
  const { status, message, retryAfterSeconds } = error.failure
  const body = parseLoosely(message)
  const failure = adapter.readError?.(status, body, {}) ?? readFailure(status, body)
  return new UpstreamError({ ...failure, retryAfterSeconds }, undefined, { cause: error })
}
