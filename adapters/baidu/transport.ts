import { isObject, type AttemptContext, type UpstreamRequest, type UpstreamResponse } from '#core'
import { accessToken, forgetToken } from './token.ts'

/** Codes for a token that is wrong or has expired. */
const TOKEN_CODES: ReadonlySet<unknown> = new Set([100, 110, 111])
/** A refusal is a short text; anything longer is an answer. */
const LONGEST_REFUSAL_BYTES = 2_048

/** Puts the token into the query. One that the API no longer takes is exchanged anew, once. */
export async function sendWithToken(
  request: UpstreamRequest,
  context: AttemptContext,
): Promise<UpstreamResponse> {
  const response = await sendOnce(request, context)
  if (!(response.headers['content-type'] ?? '').includes('application/json')) return response
  const rest = response.body[Symbol.asyncIterator]()
  const start = await readStart(rest)
  if (!isTokenRefusal(start)) return { ...response, body: joined(start, rest) }
  await rest.return?.()
  forgetToken(context)
  return sendOnce(request, context)
}

async function sendOnce(
  request: UpstreamRequest,
  context: AttemptContext,
): Promise<UpstreamResponse> {
  const url = `${request.url}?access_token=${encodeURIComponent(await accessToken(context))}`
  return context.http.request({ ...request, url }, context.httpOptions)
}

async function readStart(rest: AsyncIterator<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for (let size = 0; size <= LONGEST_REFUSAL_BYTES; ) {
    const next = await rest.next()
    if (next.done) break
    chunks.push(next.value)
    size += next.value.length
  }
  return Buffer.concat(chunks)
}

function isTokenRefusal(bytes: Buffer): boolean {
  if (bytes.length > LONGEST_REFUSAL_BYTES) return false
  try {
    const body: unknown = JSON.parse(bytes.toString('utf8'))
    return isObject(body) && TOKEN_CODES.has(body.error_code)
  } catch {
    return false
  }
}

async function* joined(
  start: Uint8Array,
  rest: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  if (start.length > 0) yield start
  yield* { [Symbol.asyncIterator]: () => rest }
}
