// How each dialect words the errors of the gateway itself, and what clients are told about retrying.
import type { ClientError } from '../../contract/dialect.ts'
import { AppError, type Text } from '../../contract/errors.ts'
import { anthropicTypeOf, geminiStatusOf } from '../../upstream-failures/client-error.ts'

interface Words {
  openai: string
  anthropic: string
  gemini: string
  /** Repeating the request cannot help: SDKs are told not to retry. */
  isFinal: boolean
}

const words = (openai: string, anthropic: string, gemini: string, isFinal = true): Words => ({
  openai,
  anthropic,
  gemini,
  isFinal,
})
const refused = words('permission_error', 'permission_error', 'PERMISSION_DENIED')
const invalid = words('invalid_request_error', 'invalid_request_error', 'INVALID_ARGUMENT')
const noMoney = words('insufficient_quota', 'billing_error', 'PERMISSION_DENIED')
const badKey = words('invalid_request_error', 'authentication_error', 'UNAUTHENTICATED')

const table: ReadonlyMap<string, Words> = new Map(
  Object.entries<Words>({
    invalid_api_key: badKey,
    api_key_expired: badKey,
    api_key_disabled: badKey,
    token_quota_exhausted: noMoney,
    ip_not_allowed: refused,
    user_disabled: refused,
    group_not_allowed: refused,
    model_not_allowed: refused,
    channel_pin_not_allowed: refused,
    invalid_channel: invalid,
    model_not_found: words('invalid_request_error', 'not_found_error', 'NOT_FOUND'),
    no_available_channel: words('server_error', 'overloaded_error', 'UNAVAILABLE', false),
    too_many_sessions: words('requests', 'rate_limit_error', 'RESOURCE_EXHAUSTED', false),
    sessions_full: words('server_error', 'overloaded_error', 'UNAVAILABLE', false),
    answers_full: words('server_error', 'overloaded_error', 'UNAVAILABLE', false),
    answer_too_large: words('server_error', 'api_error', 'INTERNAL'),
    gateway_overloaded: words('server_error', 'overloaded_error', 'UNAVAILABLE', false),
    gateway_stopping: words('server_error', 'overloaded_error', 'UNAVAILABLE', false),
    gateway_starting: words('server_error', 'overloaded_error', 'UNAVAILABLE', false),
    loop_detected: invalid,
    database_away: words('server_error', 'overloaded_error', 'UNAVAILABLE', false),
    database_slow: words('server_error', 'overloaded_error', 'UNAVAILABLE', false),
    rate_limit_exceeded: words('requests', 'rate_limit_error', 'RESOURCE_EXHAUSTED', false),
    insufficient_user_quota: noMoney,
    pre_consume_token_quota_failed: noMoney,
    invalid_request: invalid,
    unsupported_parameter: invalid,
    sensitive_words_detected: invalid,
    model_price_error: words(
      'invalid_request_error',
      'invalid_request_error',
      'FAILED_PRECONDITION',
    ),
    request_too_large: words('invalid_request_error', 'request_too_large', 'INVALID_ARGUMENT'),
    unsupported_media_type: invalid,
    do_request_failed: words('upstream_error', 'api_error', 'UNAVAILABLE', false),
    upstream_timeout: words('upstream_error', 'timeout_error', 'DEADLINE_EXCEEDED', false),
    bad_response_body: words('upstream_error', 'api_error', 'INTERNAL', false),
    invalid_channel_key: invalid,
    invalid_channel_setting: invalid,
    api_not_implemented: words('invalid_request_error', 'invalid_request_error', 'UNIMPLEMENTED'),
    internal_error: words('server_error', 'api_error', 'INTERNAL', false),
  }),
)

const internal: Text = { en: 'Internal error of the gateway.', zh: '网关内部错误。' }

/** What a client is told of an error that is no upstream's. Of a fault in the code it learns no more than that there was one. */
export function gatewayErrorOf(
  error: unknown,
  requestId: string,
  language: 'en' | 'zh',
): ClientError {
  return error instanceof AppError
    ? ownClientError(error, requestId, language)
    : internalClientError(requestId, language)
}

/** An error of the gateway itself, worded for the dialects of clients. */
export function ownClientError(
  error: AppError,
  requestId: string,
  language: 'en' | 'zh',
): ClientError {
  const code = error.relayCode ?? (error.status >= 500 ? 'internal_error' : 'invalid_request')
  const known = table.get(code)
  return {
    status: error.status,
    code,
    message: `${wordsFor(error, language)} (request id: ${requestId})`,
    openaiType: known?.openai ?? 'invalid_request_error',
    anthropicType: known?.anthropic ?? anthropicTypeOf(error.status),
    geminiStatus: known?.gemini ?? geminiStatusOf(error.status),
    // As this family of gateways writes it.
    param: error.field ?? (code === 'api_not_implemented' ? '' : null),
    requestId,
  }
}

/** Errors of sockets have a text for operators; clients get one that says what it means for them. */
function wordsFor(error: AppError, language: 'en' | 'zh'): string {
  if (error.code === 'net.no_socket') return noSocket[language]
  if (error.code === 'quota.insufficient') return error.messageIn(language) + topUp[language]
  if (error.code !== 'net.unreachable') return error.messageIn(language)
  return (error.values['phase'] === 'connect' ? unreachable : brokenOff)[language]
}

/** Admins who take more from a balance than is left read the same error, without this. */
const topUp = { en: ' Top up, then try again.', zh: '请充值后重试。' }
const noSocket = {
  en: 'The gateway cannot open another connection at the moment. Try again in a few seconds.',
  zh: '网关暂时无法建立更多连接，请几秒后重试。',
}
const unreachable = { en: 'The upstream could not be reached.', zh: '无法连接上游。' }
const brokenOff = {
  en: 'The upstream broke off the connection.',
  zh: '上游中断了连接。',
}

export function internalClientError(requestId: string, language: 'en' | 'zh'): ClientError {
  return {
    status: 500,
    code: 'internal_error',
    message: `${internal[language]} (request id: ${requestId})`,
    openaiType: 'server_error',
    anthropicType: 'api_error',
    geminiStatus: 'INTERNAL',
    param: null,
    requestId,
  }
}

/** Seconds to wait by status, used when the upstream named none. */
const usualWaits: ReadonlyMap<number, number> = new Map([
  [429, 1],
  [503, 5],
])
/** The statuses that get a `retry-after`. Anthropic answers 529 when it is overloaded. */
const mayComeAgain: ReadonlySet<number> = new Set([429, 503, 529])

/** Headers that tell SDKs whether a repeat makes sense. */
export function retryHeaders(
  error: ClientError,
  retryAfterSeconds?: number,
): Record<string, string> {
  const known = typeof error.code === 'string' ? table.get(error.code) : undefined
  const headers: Record<string, string> = {}
  if (
    error.isFinal ||
    known?.isFinal ||
    (known === undefined &&
      error.status >= 400 &&
      error.status < 500 &&
      error.status !== 429 &&
      error.status !== 408)
  ) {
    headers['x-should-retry'] = 'false'
  }
  if (error.isFinal) return headers
  const seconds = retryAfterSeconds ?? usualWaits.get(error.status)
  if (seconds !== undefined && mayComeAgain.has(error.status))
    headers['retry-after'] = String(seconds)
  return headers
}
