// Finds the error in whatever an upstream answered. The shapes are those that providers and proxies were seen to send.
import type { RawFailure } from '../contract/errors.ts'
import { isObject, textIn, type JsonObject } from '../contract/json.ts'

export interface FailureReading {
  /** The provider's numeric `code` is an HTTP status (Google, OpenRouter). */
  isCodeStatus?: boolean
}

/** Reads the body of an answer that is known to be a failure; a shape that nobody knows keeps only the status. */
export function readFailure(
  status: number,
  body: unknown,
  reading: FailureReading = {},
): RawFailure {
  return findFailure(status, body, reading) ?? unknownFailure(status)
}

/** The failure that a body tells, undefined when it tells none. `body` is parsed JSON, or the text that was no JSON. */
export function findFailure(
  status: number,
  body: unknown,
  reading: FailureReading = {},
): RawFailure | undefined {
  if (Array.isArray(body))
    return body.length === 0 ? undefined : findFailure(status, body[0], reading)
  if (!isObject(body))
    return isPlainSentence(body) ? known(status, { message: body }, body) : undefined
  const holder = errorHolder(body)
  const message = messageOf(holder) ?? messageOf(body)
  if (message === undefined) return undefined
  return withStatus(
    known(status, holder === body ? body : { ...outer(body), ...holder }, message),
    reading,
  )
}

/** An error inside a 200: the same shapes, but only where the body is nothing else. */
export function findFailureInSuccess(
  body: unknown,
  reading: FailureReading = {},
): RawFailure | undefined {
  if (!isObject(body))
    return Array.isArray(body) ? findFailureInSuccess(body[0], reading) : undefined
  const holdsError =
    (body.error !== undefined &&
      body.error !== null &&
      body.error !== false &&
      body.error !== '') ||
    body.object === 'error' ||
    body.type === 'error' ||
    isRefusal(body)
  return holdsError ? findFailure(200, body, reading) : undefined
}

/** What providers that always send a code mean success by. */
const SUCCESS_CODES: ReadonlySet<unknown> = new Set([
  0,
  200,
  '0',
  '200',
  'success',
  'Success',
  'ok',
])

// `{code, message}` beside no answer at all.
function isRefusal(body: JsonObject): boolean {
  if (Array.isArray(body.choices) || Array.isArray(body.output) || Array.isArray(body.candidates)) {
    return false
  }
  if (typeof body.error_msg === 'string' && body.error_msg !== '') return true
  const code = body.code ?? body.error_code
  if (code === undefined || code === null || SUCCESS_CODES.has(code)) return false
  return messageOf(body) !== undefined
}

export function unknownFailure(status: number): RawFailure {
  return {
    status,
    message: `The upstream answered with status ${status}.`,
    code: null,
    isKnownShape: false,
  }
}

function errorHolder(body: JsonObject): JsonObject {
  if (isObject(body.error)) return body.error
  if (isObject(body.response) && isObject(body.response.error)) return body.response.error
  if (isObject(body.header) && typeof body.header.message === 'string') return body.header
  if (Array.isArray(body.errors) && isObject(body.errors[0])) return body.errors[0]
  return body
}

// `error` as a string comes before `message`, because xAI explains it in a `code` beside it.
const MESSAGE_KEYS = [
  'error_description',
  'error',
  'message',
  'msg',
  'err',
  'error_msg',
  'detail',
  'errors',
]

function messageOf(holder: JsonObject): string | undefined {
  for (const key of MESSAGE_KEYS) {
    const text = textOf(holder[key])
    if (text !== undefined) return text
  }
  return undefined
}

/** FastAPI's `detail` is a text or a list of `{loc, msg}`. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value
  if (Array.isArray(value)) {
    const texts = value.map(textOf).filter((text) => text !== undefined)
    return texts.length === 0 ? undefined : texts.join('; ')
  }
  return isObject(value)
    ? (textOf(value.message) ?? textOf(value.msg) ?? textOf(value.detail))
    : undefined
}

/** What stands beside the error object and may name its code or type. */
function outer(body: JsonObject): JsonObject {
  return body.code === undefined ? {} : { code: body.code }
}

function known(status: number, holder: JsonObject, message: string): RawFailure {
  const type = textIn(holder.type)
  // Put there by our reader of event-stream frames, whose exceptions have a status by name.
  const bodyStatus =
    typeof holder.http_status === 'number' ? { bodyStatus: holder.http_status } : {}
  return {
    status,
    message,
    code: codeOf(holder.code ?? holder.error_code ?? oauthCode(holder)),
    type: type ?? textIn(holder.status),
    param: typeof holder.param === 'string' ? holder.param : null,
    isKnownShape: true,
    ...(isObject(holder.details) ? { details: holder.details } : {}),
    ...bodyStatus,
  }
}

/** A token endpoint explains its code beside it (RFC 6749, 5.2). */
function oauthCode({ error, error_description: text }: JsonObject): unknown {
  return typeof text === 'string' && typeof error === 'string' ? error : undefined
}

function codeOf(value: unknown): string | number | null {
  if (typeof value === 'number') return value
  return typeof value === 'string' && value !== '' ? value : null
}

function withStatus(failure: RawFailure, reading: FailureReading): RawFailure {
  const { code } = failure
  if (!reading.isCodeStatus || typeof code !== 'number' || code < 400 || code > 599) return failure
  return { ...failure, bodyStatus: code }
}

/** A JSON text or a short line of plain text; not HTML, not a stack. */
function isPlainSentence(body: unknown): body is string {
  if (typeof body !== 'string') return false
  const text = body.trim()
  return text !== '' && text.length <= 300 && !text.includes('<') && !/\n[ \t]{1,16}at /.test(text)
}
