// Opens the upstream's end of a realtime session and makes sure that the upstream has accepted it.
import type { UpstreamSocket } from '../../contract/http-client.ts'
import { ChannelFault, UpstreamError } from '../../contract/errors.ts'
import { isObject, type JsonObject } from '../../contract/json.ts'
import { readFailure } from '../../failures/read-failure-body.ts'
import type { Attempt } from '../attempt/attempt.ts'
import { relayErrors } from '../call/relay-errors.ts'
import { parseLoosely } from '../../wire/parse-loosely.ts'

export type Frame = string | Uint8Array

export interface RealtimeUpstream {
  socket: UpstreamSocket
  frames: AsyncIterator<Frame>
  /** The first frame, read in advance to see whether the upstream refuses. */
  first: Promise<IteratorResult<Frame>>
}

/** How long to wait for the first frame. Most services greet at once; some wait for the client to speak first. */
const GREETING_MS = 3_000

/** @throws ChannelFault, UpstreamError, net errors: another channel may be tried */
export async function openUpstream(
  attempt: Attempt,
  protocols: readonly string[],
): Promise<RealtimeUpstream> {
  const { adapter, context, extraHeaders } = attempt
  const operation = adapter.operations.realtime
  if (!operation)
    throw new ChannelFault(
      'api_not_implemented',
      'The channel type of this channel has no realtime.',
    )
  const target = operation.endpoint({ ...context, protocols })
  const headers = extraHeaders ? extraHeaders.beside(target.headers ?? {}) : target.headers
  // Long silence is normal in a spoken session.
  const { idleTimeoutMs: _none, ...options } = context.httpOptions
  const socket = await context.http
    .webSocket(target.url, { ...options, headers, protocols: target.protocols })
    .catch((error: unknown) => {
      throw readRefusal(error, attempt)
    })
  const frames = socket.messages[Symbol.asyncIterator]()
  const first = frames.next()
  try {
    refuseBadStart(await within(GREETING_MS, first), attempt)
  } catch (error) {
    socket.close()
    throw error
  }
  return { socket, frames, first }
}

/** An upstream may accept the handshake and refuse in its first frame. */
function refuseBadStart(start: IteratorResult<Frame> | undefined, { adapter }: Attempt): void {
  if (!start) return
  if (start.done) throw relayErrors.cut()
  const frame = parseFrame(start.value)
  if (frame?.['type'] !== 'error') return
  throw new UpstreamError(adapter.readError?.(200, frame, {}) ?? readFailure(200, frame))
}

/** Reads the body of a refused handshake. */
function readRefusal(error: unknown, { adapter }: Attempt): unknown {
  if (!(error instanceof UpstreamError)) return error
  const { status, message, retryAfterSeconds } = error.failure
  const body = parseLoosely(message)
  const failure = adapter.readError?.(status, body, {}) ?? readFailure(status, body)
  return new UpstreamError({ ...failure, retryAfterSeconds }, undefined, { cause: error })
}

export function parseFrame(frame: Frame): JsonObject | undefined {
  if (typeof frame !== 'string') return undefined
  const value = parseLoosely(frame)
  return isObject(value) ? value : undefined
}

async function within<T>(ms: number, promise: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
