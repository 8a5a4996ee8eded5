import { errorType, type AppError, type Text } from '../contract/errors.ts'
import { meaningOf } from './socket-codes.ts'

/** How far an exchange had come when it failed. After `connect` the other side may have seen the request. */
export type ExchangePhase = 'connect' | 'headers' | 'body'

export const netUnreachable = errorType<{ reason: string | Text; phase: ExchangePhase }>(
  'net.unreachable',
  502,
  {
    en: 'The upstream could not be reached ({reason}).',
    zh: '无法连接上游（{reason}）。',
  },
  { relay: 'do_request_failed' },
)

export const netTimeout = errorType<{ phase: ExchangePhase }>(
  'net.timeout',
  504,
  {
    en: 'The upstream did not answer in time ({phase}).',
    zh: '上游未在规定时间内响应（{phase}）。',
  },
  { relay: 'upstream_timeout' },
)

/** This machine has no free socket: the other side was not called and is not to blame. */
const netNoSocket = errorType<{ reason: string | Text }>(
  'net.no_socket',
  503,
  {
    en: 'The gateway cannot open a connection at the moment ({reason}).',
    zh: '网关暂时无法建立连接（{reason}）。',
  },
  { relay: 'gateway_overloaded' },
)

/** API clients read the text, so it must not name a channel's host; the value is for the log and the console. */
export const netForbiddenAddress = errorType<{ host: string }>(
  'net.forbidden_address',
  400,
  {
    en: 'The address of the upstream is not allowed.',
    zh: '不允许访问该上游地址。',
  },
  { relay: 'do_request_failed' },
)

/** Does not contain the URL, whose query may hold a key. */
export const netInvalidUrl = errorType(
  'net.invalid_url',
  400,
  {
    en: 'The address is not usable; enter a complete one that begins with https:// or http://.',
    zh: '地址不可用，请输入以 https:// 或 http:// 开头的完整地址。',
  },
  { relay: 'do_request_failed' },
)

export const netInvalidProxy = errorType(
  'net.invalid_proxy',
  400,
  {
    en: 'The proxy must be an http://, https:// or socks5:// address.',
    zh: '代理必须是 http://、https:// 或 socks5:// 地址。',
  },
  { relay: 'do_request_failed' },
)

export const netTooManyRedirects = errorType(
  'net.too_many_redirects',
  502,
  {
    en: 'The upstream redirected too often.',
    zh: '上游重定向次数过多。',
  },
  { relay: 'do_request_failed' },
)

export const netAnswerTooLarge = errorType<{ maxBytes: number }>(
  'net.answer_too_large',
  502,
  {
    en: 'The upstream answered with more than {maxBytes} bytes.',
    zh: '上游响应超过 {maxBytes} 字节。',
  },
  { relay: 'bad_response_body' },
)

const timeoutCodes: Readonly<Record<string, ExchangePhase>> = {
  UND_ERR_CONNECT_TIMEOUT: 'connect',
  ETIMEDOUT: 'connect',
}

/** The machine has run out of files, memory or ports (man 2 socket, connect). */
const withoutSocket: ReadonlySet<string> = new Set([
  'EMFILE',
  'ENFILE',
  'ENOBUFS',
  'ENOMEM',
  'EADDRNOTAVAIL',
])

/** Turns errors of sockets, TLS, DNS and undici into our own. The reason is a code, because their messages name hosts and ports. */
export function netError(error: unknown, phase: ExchangePhase): Error {
  if (isAppError(error)) return error
  const code = codeOf(error)
  const timeout = timeoutCodes[code]
  if (timeout !== undefined) {
    // A socket's own ETIMEDOUT may happen in any phase.
    return netTimeout({ phase: code === 'ETIMEDOUT' ? phase : timeout }, { cause: error })
  }
  if (phase === 'connect' && withoutSocket.has(code))
    return netNoSocket({ reason: meaningOf(code) }, { cause: error })
  return netUnreachable({ reason: meaningOf(code), phase }, { cause: error })
}

function isAppError(error: unknown): error is AppError {
  return error instanceof Error && error.name === 'AppError'
}

function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return 'unknown'
  const { code, errors } = error as { code?: unknown; errors?: unknown[] }
  // Happy eyeballs has tried several addresses; the first error is reported for all.
  if (error instanceof AggregateError && Array.isArray(errors) && errors.length > 0) {
    return typeof code === 'string' ? code : codeOf(errors[0])
  }
  return typeof code === 'string' ? code : 'unknown'
}
