import type { IncomingMessage } from 'node:http'
import type { Transform } from 'node:stream'
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
} from 'node:zlib'
import { AppError, errorType } from '../../contract/errors.ts'
import type { Sender } from '../../limits/shares.ts'
import { withoutMark } from '../../wire/byte-order-mark.ts'
import { type BodyIntake, LARGE_BODY_BYTES, type OpenBody } from './body-intake.ts'
import { LargeJson } from './read-json.ts'

const bodyTooLarge = errorType<{ limit: string }>(
  'request.too_large',
  413,
  { en: 'The request body is larger than {limit}.', zh: '请求体超过 {limit} 的限制。' },
  { relay: 'request_too_large' },
)
const bodyBroken = errorType<{ reason: string }>(
  'request.body_broken',
  400,
  { en: 'The request body cannot be read: {reason}.', zh: '无法读取请求体：{reason}。' },
  { relay: 'invalid_request' },
)
const encodingUnknown = errorType<{ encoding: string; accepted: string }>(
  'request.encoding_unknown',
  415,
  {
    en: 'A body with Content-Encoding {encoding} is not taken. Accepted: {accepted}.',
    zh: '不支持 Content-Encoding 为 {encoding} 的请求体，可用：{accepted}。',
  },
  { relay: 'unsupported_media_type' },
)

const gone = () => bodyBroken({ reason: 'the connection was closed' })

/** How long the rest of a refused body is read and discarded, so that the answer reaches a client that is still sending. */
const DISCARD_MS = 5_000

/** The size of a decoder's output pieces; other work runs between two of them. */
const DECODED_CHUNK_BYTES = 65_536

/** After these errors the client may still be sending in good faith. */
const bodyFaults: ReadonlySet<string> = new Set([
  'request.too_large',
  'request.body_broken',
  'request.encoding_unknown',
  'request.malformed_json',
])

export interface BodyRules {
  /** Also limits the decompressed size. */
  limitBytes: number
  intake: BodyIntake
  /** Whose share of the room it takes. */
  sender: Sender
  /** The body will be parsed as JSON. */
  isJson: boolean
  /** Takes over a large body, to close it when it is not needed any more. */
  keep?: ((body: OpenBody) => void) | undefined
}

/** `bytesWritten` counts the compressed bytes that it has consumed. */
type Decoder = Transform & { bytesWritten: number }

/** 8 MiB, the largest window that RFC 9659 allows for zstd on the web: a frame must not make the decoder hold more. */
const ZSTD_WINDOW_LOG = 23

const decoders: ReadonlyMap<string, () => Decoder> = new Map<string, () => Decoder>([
  ['gzip', () => createGunzip({ chunkSize: DECODED_CHUNK_BYTES })],
  ['x-gzip', () => createGunzip({ chunkSize: DECODED_CHUNK_BYTES })],
  ['br', () => createBrotliDecompress({ chunkSize: DECODED_CHUNK_BYTES })],
  ['deflate', () => createInflate({ chunkSize: DECODED_CHUNK_BYTES })],
  ['zstd', zstdDecoder],
])

function zstdDecoder(): Decoder {
  return createZstdDecompress({
    chunkSize: DECODED_CHUNK_BYTES,
    params: { [constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_LOG },
  })
}

const ACCEPTED = 'gzip, br, deflate, zstd'

/** Reads a whole body, unpacking what `ACCEPTED` names; stops at the limit while it reads, so that a small archive cannot fill memory.
 *  @throws request.too_large, request.body_broken, request.encoding_unknown, request.malformed_json, request.too_slow, request.share_full, server.bodies_full */
export async function readBody(request: IncomingMessage, rules: BodyRules): Promise<Buffer> {
  const { limitBytes, intake, sender } = rules
  const announced = Number(request.headers['content-length'])
  if (announced > limitBytes) {
    await discard(request)
    throw bodyTooLarge({ limit: sizeText(limitBytes) })
  }
  // The client may have left while its key was checked. The request then emits no events any more, so reading would
  // wait until the body counts as too slow.
  if (request.destroyed) throw gone()
  const encoding = request.headers['content-encoding']?.trim().toLowerCase()
  const isPacked = encoding !== undefined && encoding !== '' && encoding !== 'identity'
  const body = intake.open(sender)
  let bytes: Buffer
  try {
    const collected = isPacked
      ? await unpack(request, encoding, body, rules)
      : await collect(request, request, body, rules)
    body.finish()
    // The caller parses in the same turn what it gets.
    if (collected.size > LARGE_BODY_BYTES) await intake.turns.take(collected.size)
    bytes = collected.whole()
  } catch (error) {
    // Releases its memory before the rest is read.
    body.close()
    if (bodyFaults.has(error instanceof AppError ? error.code : '')) await discard(request)
    throw error
  }
  if (rules.keep === undefined || bytes.length <= LARGE_BODY_BYTES) body.close()
  else rules.keep(body)
  return bytes
}

async function unpack(
  request: IncomingMessage,
  encoding: string,
  body: OpenBody,
  rules: BodyRules,
): Promise<Collected> {
  const decoder = decoders.get(encoding)?.()
  if (!decoder) {
    const values = { encoding: encoding.slice(0, 40), accepted: ACCEPTED }
    throw encodingUnknown(values, { headers: { 'accept-encoding': ACCEPTED } })
  }
  let packedBytes = 0
  request.on('data', (chunk: Buffer) => (packedBytes += chunk.length))
  request.pipe(decoder)
  request.once('error', (error) => decoder.destroy(error))
  try {
    const collected = await collect(request, decoder, body, rules)
    // Node 24 stops after the first zstd frame and does not report a second one.
    if (encoding === 'zstd' && decoder.bytesWritten < packedBytes)
      throw bodyBroken({ reason: 'something stands behind the first zstd frame' })
    return collected
  } catch (error) {
    request.unpipe(decoder)
    decoder.destroy()
    throw isBrokenArchive(error)
      ? bodyBroken({ reason: 'the archive is broken' }, { cause: error })
      : error
  }
}

/** `Z_DATA_ERROR` of zlib, `ERR__ERROR_FORMAT_PADDING_1` and the like of brotli, `ZSTD_error_prefix_unknown` of zstd. */
function isBrokenArchive(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^(?:Z_|ERR_|ZSTD_)/.test(String(error.code))
}

function collect(
  request: IncomingMessage,
  source: NodeJS.ReadableStream,
  body: OpenBody,
  rules: BodyRules,
): Promise<Collected> {
  return new Promise((resolve, reject) => {
    const collected = new Collected(rules)
    const take = (chunk: Buffer) => {
      const fault = collected.take(chunk) ?? body.take(chunk.length)
      if (fault) stop(fault)
    }
    const stop = (error: Error) => {
      source.off('data', take)
      source.pause()
      reject(error)
    }
    body.onRefused = stop
    source.on('data', take)
    // Only the first of them counts, and `once` would make three objects for each.
    source.on('end', () => resolve(collected))
    source.on('error', reject)
    request.on('aborted', () => reject(gone()))
  })
}

/** What has arrived of a body. */
class Collected {
  size = 0
  readonly #rules: BodyRules
  readonly #chunks: Buffer[] = []
  #json: LargeJson | undefined

  constructor(rules: BodyRules) {
    this.#rules = rules
  }

  /** @returns the error if no more is accepted */
  take(chunk: Buffer): Error | undefined {
    const { limitBytes, isJson } = this.#rules
    this.size += chunk.length
    if (this.size > limitBytes) return bodyTooLarge({ limit: sizeText(limitBytes) })
    this.#chunks.push(chunk)
    return isJson && this.size > LARGE_BODY_BYTES ? this.#measure(chunk) : undefined
  }

  #measure(chunk: Buffer): Error | undefined {
    if (this.#json) return this.#json.take(chunk)
    this.#json = new LargeJson()
    for (const earlier of this.#chunks) {
      const fault = this.#json.take(earlier)
      if (fault) return fault
    }
    return undefined
  }

  whole(): Buffer {
    const [first] = this.#chunks
    const isOne = first !== undefined && this.#chunks.length === 1
    const whole = isOne ? first : Buffer.concat(this.#chunks, this.size)
    const body = this.#rules.isJson ? withoutMark(whole) : whole
    this.#json?.remember(body)
    return body
  }
}

/** Reads and discards the rest for a while, because a client that is still sending would not read the answer. */
function discard(request: IncomingMessage): Promise<void> {
  // Everything has been read already, e.g. of a small archive with a large content.
  if (request.readableEnded || request.destroyed) return Promise.resolve()
  request.unpipe()
  request.removeAllListeners('data')
  request.resume()
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      // The answer is sent anyway. If the client goes on sending, its connection breaks.
      resolve()
      setTimeout(() => request.destroy(), 1000).unref()
    }, DISCARD_MS)
    const done = () => {
      clearTimeout(timer)
      resolve()
    }
    request.once('end', done)
    request.once('close', done)
  })
}

function sizeText(bytes: number): string {
  if (bytes >= 1_048_576) return `${Math.floor(bytes / 1_048_576)} MiB`
  return `${Math.floor(bytes / 1024)} KiB`
}
