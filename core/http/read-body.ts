import type { IncomingMessage } from 'node:http'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { errorType } from '../contract/errors.ts'

export const bodyTooLarge = errorType<{ limit: string }>(
  'request.too_large',
  413,
  { en: 'The request body is larger than {limit}.', zh: '请求体超过 {limit} 的限制。' },
  { relay: 'request_too_large' },
)
export const bodyBroken = errorType<{ reason: string }>(
  'request.body_broken',
  400,
  { en: 'The request body cannot be read: {reason}.', zh: '无法读取请求体：{reason}。' },
  { relay: 'invalid_request' },
)

/** How long the rest of a refused body is read and thrown away, so that the answer reaches a client that is still sending. */
const DISCARD_MS = 5_000

/** Reads a whole body, unpacking gzip, br and deflate; stops at the limit while it reads, so that a small archive cannot fill memory.
 *  @throws request.too_large, request.body_broken */
export async function readBody(request: IncomingMessage, limitBytes: number): Promise<Buffer> {
  const announced = Number(request.headers['content-length'])
  if (announced > limitBytes) {
    await discard(request)
    throw bodyTooLarge({ limit: sizeText(limitBytes) })
  }
  const encoding = request.headers['content-encoding']?.trim().toLowerCase()
  if (encoding && encoding !== 'identity') return unpack(request, encoding, limitBytes)
  return collect(request, request, limitBytes)
}

async function unpack(
  request: IncomingMessage,
  encoding: string,
  limitBytes: number,
): Promise<Buffer> {
  const decoders = {
    gzip: createGunzip,
    'x-gzip': createGunzip,
    br: createBrotliDecompress,
    deflate: createInflate,
  }
  const create = decoders[encoding as keyof typeof decoders]
  if (!create) {
    await discard(request)
    throw bodyBroken({ reason: `Content-Encoding ${encoding.slice(0, 40)} is not supported` })
  }
  const decoder = create()
  request.pipe(decoder)
  request.once('error', (error) => decoder.destroy(error))
  try {
    return await collect(request, decoder, limitBytes)
  } catch (error) {
    request.unpipe(decoder)
    decoder.destroy()
    if (isBrokenArchive(error)) {
      await discard(request)
      throw bodyBroken({ reason: 'the archive is broken' }, { cause: error })
    }
    throw error
  }
}

/** `Z_DATA_ERROR` of zlib, `ERR__ERROR_FORMAT_PADDING_1` and the like of brotli. */
function isBrokenArchive(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^(?:Z_|ERR_)/.test(String(error.code))
}

function collect(
  request: IncomingMessage,
  source: NodeJS.ReadableStream,
  limitBytes: number,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    source.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > limitBytes) {
        source.removeAllListeners('data')
        request.unpipe()
        void discard(request).then(() => reject(bodyTooLarge({ limit: sizeText(limitBytes) })))
        return
      }
      chunks.push(chunk)
    })
    source.once('end', () =>
      resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, size)),
    )
    source.once('error', reject)
    request.once('aborted', () => reject(bodyBroken({ reason: 'the connection was closed' })))
  })
}

/** Reads the rest and throws it away, for a while: a client that is still sending would not see an answer before. */
function discard(request: IncomingMessage): Promise<void> {
  // All of it was read already, as with a small archive of much.
  if (request.readableEnded || request.destroyed) return Promise.resolve()
  request.unpipe()
  request.removeAllListeners('data')
  request.resume()
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      // The answer goes out all the same; what the client still sends then breaks its connection.
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
  return bytes >= 1_048_576 ? `${Math.floor(bytes / 1_048_576)} MiB` : `${bytes} bytes`
}
