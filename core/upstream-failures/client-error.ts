// From what an upstream said to what the client reads: one table of words by class and by status.
import { STATUS_CODES } from 'node:http'
import type { ClientError } from '../contract/dialect.ts'
import type { FailureClass, RawFailure } from '../contract/errors.ts'
import { isPromptTooLong, PROMPT_TOO_LONG } from './prompt-too-long.ts'
import { maskMessage } from './mask-message.ts'

const CLASS_WORDS: Readonly<Record<FailureClass, { status: number; type: string }>> = {
  'invalid-credentials': { status: 401, type: 'authentication_error' },
  'insufficient-funds': { status: 402, type: 'insufficient_quota' },
  denied: { status: 403, type: 'access_denied' },
  'not-found': { status: 404, type: 'invalid_request_error' },
  throttled: { status: 429, type: 'rate_limit_error' },
  'bad-request': { status: 400, type: 'invalid_request_error' },
  content: { status: 400, type: 'content_filter' },
  upstream: { status: 502, type: 'upstream_error' },
  timeout: { status: 504, type: 'upstream_error' },
}

const ANTHROPIC_TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  408: 'timeout_error',
  409: 'conflict_error',
  413: 'request_too_large',
  422: 'invalid_request_error',
  429: 'rate_limit_error',
  504: 'timeout_error',
  524: 'timeout_error',
  529: 'overloaded_error',
}

const GEMINI_STATUSES: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  402: 'PERMISSION_DENIED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  408: 'DEADLINE_EXCEEDED',
  409: 'ABORTED',
  413: 'INVALID_ARGUMENT',
  422: 'INVALID_ARGUMENT',
  429: 'RESOURCE_EXHAUSTED',
  499: 'CANCELLED',
  501: 'UNIMPLEMENTED',
  502: 'UNAVAILABLE',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
  524: 'DEADLINE_EXCEEDED',
  529: 'UNAVAILABLE',
}

/** What is said beside the words of these is about the operator's account, and programs would take it for their own. */
const ofAccount: ReadonlySet<FailureClass> = new Set(['invalid-credentials', 'insufficient-funds'])

export interface FailureShowing {
  requestId: string
  /** What status_code_mapping made of `failureStatus`. */
  mappedStatus?: number
  /** Texts to mask besides what looks like a secret: the channel's key, its host. */
  secrets?: readonly string[]
  /** The neutral text for a body of unknown shape, in the client's language. */
  neutralMessage?: string
  /** Said before the upstream's words, where they could be taken for words about the client. */
  preface?: string
}

/** The status that a failure has before status_code_mapping: the upstream's own; inside a 200 the body's or its class's. */
export function failureStatus(failure: RawFailure, failureClass: FailureClass): number {
  if (failure.status >= 400) return failure.status
  // A redirect is never followed and is no answer for the client.
  if (failure.status >= 300) return CLASS_WORDS.upstream.status
  return failure.bodyStatus ?? CLASS_WORDS[failureClass].status
}

export function clientErrorOf(
  failure: RawFailure,
  failureClass: FailureClass,
  showing: FailureShowing,
): ClientError {
  const status = readableStatus(showing.mappedStatus ?? failureStatus(failure, failureClass))
  const message = failure.isKnownShape
    ? maskMessage(failure.message, showing.secrets)
    : (showing.neutralMessage ?? failure.message)
  const isTooLong = failureClass === 'bad-request' && isPromptTooLong(failure)
  const isMoneyOut = failureClass === 'insufficient-funds'
  return {
    status,
    code: isTooLong ? PROMPT_TOO_LONG : codeFor(failure, failureClass, status),
    message: `${showing.preface ?? ''}${withoutRequestIds(message)} (request id: ${showing.requestId})`,
    openaiType: failure.isKnownShape
      ? openaiTypeOf(failure, failureClass, status)
      : 'upstream_error',
    anthropicType: isMoneyOut ? 'billing_error' : anthropicTypeOf(status),
    // RESOURCE_EXHAUSTED reads as a limit that passes, and programs repeat the call.
    geminiStatus: isMoneyOut ? 'PERMISSION_DENIED' : geminiStatusOf(status),
    param: failure.isKnownShape ? (failure.param ?? null) : String(failure.status),
    requestId: showing.requestId,
    ...(isTooLong ? { isPromptTooLong: true } : {}),
    ...(isMoneyOut ? { isFinal: true } : {}),
    ...(failure.details === undefined || ofAccount.has(failureClass)
      ? {}
      : { details: failure.details }),
  }
}

/** 407 speaks of the way to the server: `fetch` takes it for a fault of the client's own proxy and shows neither status nor body. Above 599 there are
 *  no statuses (RFC 9110), and some clients refuse them. */
function readableStatus(status: number): number {
  return status === 407 || status > 599 ? CLASS_WORDS.upstream.status : status
}

/** OpenAI's types of refused content: LiteLLM tells it from a bad request by type and code. */
const CONTENT_TYPES: ReadonlySet<unknown> = new Set([
  'invalid_request_error',
  'image_generation_user_error',
])

/** An upstream that has too much to do is throttled too; with a status of servers it is no limit of the client's. */
function openaiTypeOf({ type }: RawFailure, failureClass: FailureClass, status: number): string {
  if (failureClass === 'throttled' && status >= 500) return 'server_error'
  if (failureClass === 'content' && type !== undefined && CONTENT_TYPES.has(type)) return type
  return CLASS_WORDS[failureClass].type
}

const ID_MARK = ' (request id: '

/** Upstreams of this family end their words with an id as we do; the client asks here, by ours. */
function withoutRequestIds(message: string): string {
  let rest = message
  while (rest.endsWith(')')) {
    const at = rest.lastIndexOf(ID_MARK)
    if (at < 0 || rest.indexOf(')', at) < rest.length - 1) break
    rest = rest.slice(0, at)
  }
  return rest
}

export function anthropicTypeOf(status: number): string {
  return ANTHROPIC_TYPES[status] ?? (status >= 500 ? 'api_error' : 'invalid_request_error')
}

export function geminiStatusOf(status: number): string {
  return GEMINI_STATUSES[status] ?? (status >= 500 ? 'INTERNAL' : 'INVALID_ARGUMENT')
}

function codeFor(
  failure: RawFailure,
  failureClass: FailureClass,
  status: number,
): string | number | null {
  if (failure.code !== null && !isOwnStatus(failure)) return failure.code
  if (!failure.isKnownShape) return 'bad_response_status_code'
  if (status === 429) return 'upstream_saturated'
  if (isBeyondCredit(failure, failureClass)) return 'upstream_credit_too_low'
  const isRefused = status === 401 || status === 402 || status === 403
  return isRefused && failureClass !== 'content' ? 'upstream_auth_failed' : null
}

/** Whether the operator's credit at the provider is too little for this one call: key and account are good, and a call for less is served. */
export function isBeyondCredit(failure: RawFailure, failureClass: FailureClass): boolean {
  return failureClass === 'denied' && (failure.bodyStatus ?? failure.status) === 402
}

/** Google, OpenRouter and vLLM repeat the status as the code, also in the middle of a stream, where no other status is
 *  known. OpenAI's code is a word or null, and typed SDKs fail on a number. */
function isOwnStatus({ code, status, bodyStatus }: RawFailure): boolean {
  if (typeof code !== 'number') return false
  const isInsideSuccess = status < 300 && code >= 400 && isStatus(code)
  return isInsideSuccess || code === status || code === bodyStatus
}

/** Vendors have numbers of their own between these, such as FastGPT's 514. Anthropic's 529 is registered nowhere. */
function isStatus(code: number): boolean {
  return code === 529 || STATUS_CODES[code] !== undefined
}

/** Gemini's refusal of a prompt, for the clients that get it as an error. */
export function promptBlocked(reason: string): RawFailure {
  return {
    status: 400,
    message: `The prompt was blocked by the provider: ${reason}.`,
    code: 'prompt_blocked',
    type: 'content_filter',
    isKnownShape: true,
  }
}
