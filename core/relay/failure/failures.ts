// Judges a failed attempt: its class, whether another channel is tried, and what the client reads.
import type { Adapter } from '../../contract/adapter.ts'
import type { ClientError } from '../../contract/dialect.ts'
import {
  AppError,
  ChannelFault,
  UpstreamError,
  type FailureClass,
  type RawFailure,
  type Text,
} from '../../contract/errors.ts'
import {
  classifyByBody,
  classifyByStatus,
  classifyFailure,
} from '../../upstream-failures/classify-failure.ts'
import {
  clientErrorOf,
  failureStatus,
  isBeyondCredit,
} from '../../upstream-failures/client-error.ts'
import { MOST_JUDGED, ownWords, ownWordsTo } from '../../upstream-failures/own-words.ts'
import { unreadable } from '../../dialects/neutral/parsed-event.ts'
import type { RoutedChannel } from '../../channels/routing/routed-channel.ts'
import { redactorOf, redactValue } from '../../secrets/redact.ts'
import { readTokenKey } from '../../tokens/token-key.ts'
import { internalClientError, ownClientError } from '../call/relay-error-wording.ts'
import { relayErrors } from '../call/relay-errors.ts'

/** One failed attempt, judged. */
export interface JudgedFailure {
  /** `machine`: no socket could be opened on this machine, which says nothing about the channel. */
  failureClass: FailureClass | 'local' | 'channel' | 'machine'
  isRetryable: boolean
  clientError: ClientError
  /** The upstream's own message with keys removed, for the part of the log row that only admins see. */
  upstreamMessage: string
  /** What of it is not the client's; what stands in the client's call decides nothing about the channel. */
  ownMessage?: string
  retryAfterSeconds: number | undefined
  cause: unknown
}

export interface JudgeInput {
  channel: RoutedChannel
  requestId: string
  language: 'en' | 'zh'
  /** The client's credential, if it sent one. */
  presentedKey?: string | undefined
  /** The body or form of the client's call. */
  sent?: unknown
  /** The option AutomaticRetryStatusCodes; it applies to statuses that tell nothing but themselves. */
  retryStatusCodes: string
}

const neutral = {
  en: 'The upstream answered with an error.',
  zh: '上游返回了错误。',
}

/** Words such as "Incorrect API key provided" or "You exceeded your current quota" would send the client looking for a fault
 *  in its own key or balance. */
const prefaces: Partial<Record<FailureClass, Text>> = {
  'invalid-credentials': {
    en: "The provider refused this gateway's key. Your own key is in order. The provider said: ",
    zh: '上游拒绝的是本网关的密钥，您自己的密钥没有问题。上游的原话：',
  },
  'insufficient-funds': {
    en: "This gateway's account at the provider has no money left. Your own balance is not the reason. The provider said: ",
    zh: '本网关在上游的账户余额不足，与您自己的余额无关。上游的原话：',
  },
}

const beyondCredit = {
  en: "This gateway's credit at the provider is too little for a call of this size; your own balance is not the reason. One that asks for less (max_tokens) may be served. The provider said: ",
  zh: '本网关在上游的额度不足以支付这么大的调用，与您自己的余额无关；减小 max_tokens 后可能成功。上游的原话：',
}

const retryableClasses: ReadonlySet<FailureClass> = new Set([
  'invalid-credentials',
  'insufficient-funds',
  'denied',
  'not-found',
  'throttled',
  'upstream',
])

export function judge(error: unknown, input: JudgeInput): JudgedFailure {
  if (error instanceof UpstreamError) return judgeUpstream(error, input)
  if (error instanceof ChannelFault) return judgeChannelFault(error, input)
  if (error instanceof AppError) return judgeOwn(error, input)
  if (isNestedTooDeep(error)) return judgeUpstream(unreadable(error), input)
  return {
    failureClass: 'local',
    isRetryable: false,
    clientError: internalClientError(input.requestId, input.language),
    upstreamMessage: '',
    retryAfterSeconds: undefined,
    cause: error,
  }
}

/** A parsed answer can be nested deeper than JSON.stringify can write. (The depth of requests is checked when they are read.) */
function isNestedTooDeep(error: unknown): boolean {
  return error instanceof RangeError && error.message.includes('call stack')
}

function judgeUpstream(error: UpstreamError, input: JudgeInput): JudgedFailure {
  const { failure } = error
  const adapter = input.channel.adapter
  const { mapped, ownMessage } = ownFailure(error, input)
  const failureClass = mapped.failureClass
  const redact = redactionFor(input)
  const redacted: RawFailure = { ...failure, ...redactValue(wordsOf(failure), redact) }
  const preface = isBeyondCredit(failure, failureClass) ? beyondCredit : prefaces[failureClass]
  return {
    failureClass,
    isRetryable: isRetryable(failure, failureClass, mapped.status, adapter, input.retryStatusCodes),
    clientError: clientErrorOf(redacted, failureClass, {
      requestId: input.requestId,
      mappedStatus: mapped.status,
      neutralMessage: neutral[input.language],
      ...(preface === undefined ? {} : { preface: preface[input.language] }),
    }),
    upstreamMessage: redacted.message,
    ownMessage,
    retryAfterSeconds: failure.retryAfterSeconds,
    cause: error,
  }
}

/** Failures of which an upstream says what it refuses or trips over, and may repeat it. */
const refusals: ReadonlySet<FailureClass> = new Set([
  'invalid-credentials',
  'insufficient-funds',
  'denied',
  'not-found',
  'bad-request',
  'content',
  'upstream',
])

/** A failure by what the upstream says itself. */
function ownFailure({ failure, failureClass }: UpstreamError, { channel, sent }: JudgeInput) {
  const read = (message: string) =>
    mappedStatus({ ...failure, message }, failureClass, channel.adapter, channel)
  const words = ownWords(failure.message).slice(0, MOST_JUDGED)
  const mapped = read(words)
  if (!refusals.has(mapped.failureClass)) return { mapped, ownMessage: words }
  const ownMessage = ownWordsTo(sent, failure.message)
  return { mapped: ownMessage === words ? mapped : read(ownMessage), ownMessage }
}

/** Applies the channel's status mapping. A class that was found in the body's text stays; one that follows from the
 *  status follows the mapped status. */
function mappedStatus(
  failure: RawFailure,
  known: FailureClass | undefined,
  adapter: Adapter | undefined,
  channel: RoutedChannel,
) {
  const fixed = known ?? adapter?.classify?.(failure) ?? classifyByBody(failure)
  const status = failureStatus(failure, fixed ?? classifyFailure(failure))
  const mapped = channel.statusCodeMapping[String(status)]
  if (mapped === undefined) return { status, failureClass: fixed ?? classifyFailure(failure) }
  return { status: mapped, failureClass: fixed ?? classifyByStatus(mapped) }
}

function isRetryable(
  failure: RawFailure,
  failureClass: FailureClass,
  status: number,
  adapter: Adapter | undefined,
  ranges: string,
): boolean {
  const own = adapter?.isRetryable?.(failure, failureClass)
  if (own !== undefined) return own
  if (!retryableClasses.has(failureClass)) return false
  if (failureClass === 'upstream' && timeoutStatuses.has(status)) return false
  if (failureClass !== 'upstream' || failure.status < 400) return true
  return ruledStatuses.has(status) || inRanges(status, ranges)
}

/** Time-outs reported by the upstream. It may have done the work, and a retry would pay for it twice. */
const timeoutStatuses = new Set([408, 504, 524])

/** They have a class of their own: where an adapter says `upstream` all the same, it has read the answer. */
const ruledStatuses = new Set([400, 401, 402, 403, 404, 413, 422, 429, 529])

function inRanges(status: number, ranges: string): boolean {
  return ranges.split(',').some((range) => {
    const [from, to = from] = range.trim().split('-').map(Number)
    return from !== undefined && to !== undefined && status >= from && status <= to
  })
}

function judgeChannelFault(error: ChannelFault, input: JudgeInput): JudgedFailure {
  const isMissing = error.code === 'api_not_implemented'
  const { text } = error
  const app = isMissing
    ? relayErrors.notImplemented()
    : new AppError({
        code: `relay.${error.code}`,
        status: error.status,
        text,
        relayCode: error.code,
      })
  return {
    failureClass: 'channel',
    isRetryable: true,
    clientError: ownClientError(app, input.requestId, input.language),
    upstreamMessage: redactionFor(input)(error.message),
    retryAfterSeconds: undefined,
    cause: error,
  }
}

function judgeOwn(error: AppError, input: JudgeInput): JudgedFailure {
  const failureClass = classOfOwn(error)
  const isUnsent = failureClass === 'timeout' && error.values['phase'] === 'connect'
  return {
    failureClass,
    // If this machine has no free socket, another channel may still have an open connection.
    isRetryable: failureClass !== 'local' && (failureClass !== 'timeout' || isUnsent),
    clientError: ownClientError(error, input.requestId, input.language),
    upstreamMessage: redactionFor(input)(wordsForAdmin(error)),
    retryAfterSeconds: undefined,
    cause: error,
  }
}

/** Which adapter from outside failed, and how, is not for clients. */
export function wordsForAdmin({ code, cause, message }: AppError): string {
  return code === ADAPTER_FAILED && cause instanceof Error ? cause.message : message
}

const ADAPTER_FAILED = 'relay.adapter_failed'

function classOfOwn({
  code,
  relayCode,
}: AppError): 'machine' | 'timeout' | 'channel' | 'upstream' | 'local' {
  if (code === 'net.no_socket') return 'machine'
  if (code === ADAPTER_FAILED) return 'channel'
  if (relayCode === 'upstream_timeout') return 'timeout'
  const isNetwork = relayCode === 'do_request_failed' || relayCode === 'bad_response_body'
  return isNetwork ? 'upstream' : 'local'
}

/** Whether the upstream caused the failure, so that it counts against the channel. */
export function isOfUpstream(
  failureClass: JudgedFailure['failureClass'],
): failureClass is FailureClass {
  return failureClass !== 'local' && failureClass !== 'channel' && failureClass !== 'machine'
}

/** The parts of a failure that the upstream has worded itself. */
function wordsOf({ message, code, type, param, details }: RawFailure) {
  return {
    message,
    code,
    ...(type === undefined ? {} : { type }),
    ...(param === undefined ? {} : { param }),
    ...(details === undefined ? {} : { details }),
  }
}

/** Removes the channel's keys, anything that looks like a key, and the client's credential. */
export function redactionFor({
  channel,
  presentedKey,
}: Pick<JudgeInput, 'channel' | 'presentedKey'>): (text: string) => string {
  const { text } = redactorOf(channel.secrets)
  if (presentedKey === undefined) return text
  const { known } = redactorOf([presentedKey, bareKey(presentedKey)])
  return (message) => known(text(message))
}

function bareKey(credential: string): string {
  return readTokenKey(credential)?.key ?? credential
}
