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
  const type = response.headers['content-type'] ?? ''
  const isStream = type.includes('text/event-stream')
  if (!isStream && !type.includes('application/json')) return response
  const rest = response.body[Symbol.asyncIterator]()
  const start = await readStart(rest, isStream ? hasLine : isWhole)
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

async function readStart(
  rest: AsyncIterator<Uint8Array>,
  isEnough: (start: Buffer) => boolean,
): Promise<Buffer> {
  let start = Buffer.alloc(0)
  while (start.length <= LONGEST_REFUSAL_BYTES && !isEnough(start)) {
    const next = await rest.next()
    if (next.done) break
    start = Buffer.concat([start, next.value])
  }
  return start
}

/** Only the end of a JSON body shows whether it was a refusal. */
function isWhole(): boolean {
  return false
}

/** A refusal is the first line of a stream. */
function hasLine(bytes: Buffer): boolean {
  return bytes.toString('latin1').trimStart().includes('\n')
}

function isTokenRefusal(bytes: Buffer): boolean {
  if (bytes.length > LONGEST_REFUSAL_BYTES) return false
  try {
    const body: unknown = JSON.parse(bytes.toString('utf8').replace(/^\s*data:/, ''))
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
