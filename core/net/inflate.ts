// Decompresses answers that an upstream has compressed although it was not asked to, including streams.
import { Readable, Transform, pipeline } from 'node:stream'
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from 'node:zlib'
import type { UpstreamResponse } from '../contract/http-client.ts'
import { netAnswerTooLarge, netError } from './net-errors.ts'

/** No answer is decompressed beyond this size. Code that reads whole answers has lower limits of its own. */
const MOST_BYTES = 1024 * 1_048_576
/** A header may name several encodings that were applied one after the other. */
const MOST_LAYERS = 3

// Pass on what has arrived at once, because the next event of a stream may take long.
const flush = constants.Z_SYNC_FLUSH
const unpackers: Readonly<Record<string, () => Transform>> = {
  gzip: () => createGunzip({ flush }),
  'x-gzip': () => createGunzip({ flush }),
  deflate: () => new Deflated(),
  br: () => createBrotliDecompress({ flush: constants.BROTLI_OPERATION_FLUSH }),
  zstd: () => createZstdDecompress({ flush: constants.ZSTD_e_flush }),
}

/** The decompressed answer, without the headers that describe the encoding. The same answer if it is not compressed, or
 *  in an unknown encoding. */
export function inflated(response: UpstreamResponse, mostBytes = MOST_BYTES): UpstreamResponse {
  const encoding = response.headers['content-encoding']
  if (encoding === undefined) return response
  // An empty body is not a valid archive.
  const hasBody = response.status !== 204 && response.headers['content-length'] !== '0'
  const layers = encoding
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity')
  const isKnown = layers.every((name) => Object.hasOwn(unpackers, name))
  if (!isKnown || layers.length > MOST_LAYERS) return response
  const { 'content-encoding': _packing, 'content-length': _length, ...headers } = response.headers
  if (layers.length === 0 || !hasBody) return { ...response, headers }
  const steps = layers.reverse().flatMap((name) => unpackers[name]?.() ?? [])
  return { ...response, headers, body: new Unpacked(response.body, steps, mostBytes) }
}

/** An iterator that also ends its source if it is left before the first read, which a Readable's own iterator does not do. */
class Unpacked implements AsyncIterableIterator<Uint8Array> {
  readonly #last: Readable
  readonly #iterator: AsyncIterator<Uint8Array>
  readonly #mostBytes: number
  #bytes = 0

  constructor(source: AsyncIterable<Uint8Array>, steps: readonly Transform[], mostBytes: number) {
    this.#mostBytes = mostBytes
    const streams = [Readable.from(source, { objectMode: false }), ...steps]
    this.#last = streams.at(-1) as Readable
    this.#iterator = this.#last[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>
    // Errors are reported to whoever reads the bytes.
    pipeline(streams, () => undefined)
  }

  async next(): Promise<IteratorResult<Uint8Array>> {
    let result: IteratorResult<Uint8Array>
    try {
      result = await this.#iterator.next()
    } catch (error) {
      throw isBrokenArchive(error) ? netError(error, 'body') : error
    }
    if (result.done) return result
    this.#bytes += result.value.length
    if (this.#bytes <= this.#mostBytes) return result
    await this.return()
    throw netAnswerTooLarge({ maxBytes: this.#mostBytes })
  }

  return(): Promise<IteratorResult<Uint8Array>> {
    this.#last.destroy()
    return Promise.resolve({ done: true, value: undefined })
  }

  [Symbol.asyncIterator](): this {
    return this
  }
}

/** `Z_DATA_ERROR` of zlib, `ERR__ERROR_FORMAT_PADDING_1` of brotli, `ZSTD_error_prefix_unknown`. */
function isBrokenArchive(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' && /^(?:Z_|ERR__|ZSTD_)/.test(code)
}

type Done = (error?: Error | null) => void

/** `deflate` is zlib's format (RFC 9110), but some servers send it without zlib's header. The first byte tells which it is. */
class Deflated extends Transform {
  #inner: Transform | undefined
  #hasEnded = false
  /** To call when the inner stream has accepted a chunk or has ended. */
  #done: Done | undefined

  override _transform(chunk: Buffer, _encoding: string, done: Done): void {
    this.#inner ??= this.#open(chunk)
    if (this.#hasEnded) return done()
    this.#done = done
    this.#inner.write(chunk, (error) => this.#callBack(error))
  }

  override _flush(done: Done): void {
    if (this.#inner === undefined || this.#hasEnded) return done()
    this.#done = done
    this.#inner.end()
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#inner?.destroy()
    done(error)
  }

  #open(first: Buffer): Transform {
    const inner =
      ((first[0] ?? 0) & 0x0f) === 8 ? createInflate({ flush }) : createInflateRaw({ flush })
    inner.on('data', (bytes) => this.push(bytes))
    // Bytes after the end of the archive are ignored; the inner stream does not confirm that it has taken them.
    inner.on('end', () => {
      this.#hasEnded = true
      this.push(null)
      this.#callBack()
    })
    inner.on('error', (error) => this.destroy(error))
    return inner
  }

  #callBack(error?: Error | null): void {
    const done = this.#done
    this.#done = undefined
    done?.(error)
  }
}
