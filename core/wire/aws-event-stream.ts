// Amazon's binary event stream. Frame: total length, header length, CRC of both, headers, payload, CRC of all; big-endian.
// Source: smithy.io, "Amazon Event Stream Specification".
import { EventStreamCodec } from '@smithy/eventstream-codec'
import { fromUtf8, toUtf8 } from '@smithy/util-utf8'
import type { SseEvent } from '../contract/dialect.ts'
import { UpstreamError } from '../contract/errors.ts'
import { objectOf } from '../contract/json.ts'
import { parseLoosely } from './parse-loosely.ts'
import { type EventSplitter, LONGEST_EVENT, type Take, tooLong } from './sse.ts'

const LENGTH_BYTES = 4
const SMALLEST_FRAME = 16

const codec = new EventStreamCodec(toUtf8, fromUtf8)

export class AwsEventStreamSplitter implements EventSplitter {
  readonly #limit: number
  #pieces: Buffer[] = []
  #length = 0

  constructor(limit: number = LONGEST_EVENT) {
    this.#limit = limit
  }

  push(bytes: Uint8Array): SseEvent[] {
    this.#pieces.push(Buffer.from(bytes))
    this.#length += bytes.length
    const events: SseEvent[] = []
    for (let frame = this.#nextFrame(); frame !== undefined; frame = this.#nextFrame()) {
      events.push(readFrame(frame))
    }
    return events
  }

  /** Part of a frame contains nothing that can be read. */
  readonly isBetween = false
  readonly textLength = -1

  read(bytes: Uint8Array, take: Take): void {
    for (const event of this.push(bytes)) take(event)
  }

  end(): SseEvent[] {
    this.#pieces = []
    return []
  }

  #nextFrame(): Buffer | undefined {
    if (this.#length < LENGTH_BYTES) return undefined
    const first = this.#pieces[0]
    const head = first !== undefined && first.length >= LENGTH_BYTES ? first : this.#join()
    const size = head.readUInt32BE(0)
    if (size < SMALLEST_FRAME || size > this.#limit) throw tooLong(this.#limit)
    if (this.#length < size) return undefined
    const joined = this.#join()
    const rest = joined.subarray(size)
    this.#pieces = rest.length === 0 ? [] : [rest]
    this.#length = rest.length
    return joined.subarray(0, size)
  }

  #join(): Buffer {
    const joined = this.#pieces.length === 1 ? this.#pieces[0] : Buffer.concat(this.#pieces)
    this.#pieces = joined === undefined ? [] : [joined]
    return joined ?? Buffer.alloc(0)
  }
}

function readFrame(frame: Buffer): SseEvent {
  let message: ReturnType<EventStreamCodec['decode']>
  try {
    message = codec.decode(frame)
  } catch (cause) {
    throw new UpstreamError(
      {
        status: 200,
        message: 'The upstream sent a damaged frame.',
        code: null,
        isKnownShape: true,
      },
      'upstream',
      { cause },
    )
  }
  const header = (name: string) => {
    const value = message.headers[name]?.value
    return typeof value === 'string' ? value : undefined
  }
  const payload = Buffer.from(message.body).toString('utf8')
  const type = header(':message-type')
  if (type === 'exception' || type === 'error') {
    const name = header(':exception-type') ?? header(':error-code') ?? 'unknown'
    return errorEvent(name, header(':error-message') ?? messageOf(payload))
  }
  const data = unwrap(payload)
  return { event: header(':event-type'), data, raw: `data: ${data}\n\n` }
}

/** Bedrock wraps each event of the model's own dialect in `bytes`, as base64. */
function unwrap(payload: string): string {
  if (!payload.startsWith('{"bytes"') && !payload.includes('"bytes":"')) return payload
  const bytes = objectOf(parseLoosely(payload))['bytes']
  return typeof bytes === 'string' ? Buffer.from(bytes, 'base64').toString('utf8') : payload
}

function messageOf(payload: string): string {
  const message = objectOf(parseLoosely(payload))['message']
  return typeof message === 'string' ? message : payload
}

/** The status with which Bedrock would have answered if the exception had come before the stream (Bedrock API
 *  reference, ResponseStream). */
const EXCEPTION_STATUSES: Readonly<Record<string, number>> = {
  validationException: 400,
  modelTimeoutException: 408,
  modelStreamErrorException: 424,
  throttlingException: 429,
  modelNotReadyException: 429,
  internalServerException: 500,
  serviceUnavailableException: 503,
}

/** An exception frame in the form of an ordinary error; `type` is the name of the exception. */
function errorEvent(name: string, message: string): SseEvent {
  const data = JSON.stringify({
    type: 'error',
    error: { type: name, message, http_status: EXCEPTION_STATUSES[name] },
  })
  return { event: 'error', data, raw: `event: error\ndata: ${data}\n\n` }
}
