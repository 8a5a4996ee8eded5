import { isObject, type FailureClass, type RawFailure } from '#core'
import { findFailureInSuccess, readFailure, unknownFailure } from '#adapter-kit'

/** The numeric `code` is the status that the failure would have had; it counts inside a 200. Source: openrouter.ai/docs, page "Errors". */
export function readError(status: number, body: unknown): RawFailure | undefined {
  if (status !== 200) return withMetadata(readFailure(status, body, { isCodeStatus: true }), body)
  const holder = [body, firstChoice(body)].find(
    (part) => findFailureInSuccess(part) !== undefined || isBroken(part),
  )
  if (holder === undefined) return undefined
  const failure = findFailureInSuccess(holder, { isCodeStatus: true }) ?? unknownFailure(status)
  return withMetadata({ ...failure, bodyStatus: failure.bodyStatus ?? 502 }, holder)
}

/** A choice with `finish_reason: error`, and without an error object. */
function isBroken(part: unknown): boolean {
  return isObject(part) && part['finish_reason'] === 'error'
}

function firstChoice(body: unknown): unknown {
  return isObject(body) && Array.isArray(body['choices']) ? body['choices'][0] : undefined
}

/** Only the `metadata` of an error shows that moderation refused the input, or which limit was reached. Source of the latter: openrouter.ai/docs,
 *  page "Limits". */
function withMetadata(failure: RawFailure, body: unknown): RawFailure {
  const error = isObject(body) ? body['error'] : undefined
  const metadata = isObject(error) ? error['metadata'] : undefined
  if (!isObject(metadata)) return failure
  const isFlagged = metadata['reasons'] !== undefined || metadata['flagged_input'] !== undefined
  if (isFlagged) return { ...failure, type: 'moderation' }
  if (metadata['reason'] === TOO_LARGE) return { ...failure, type: TOO_LARGE }
  return metadata['limit_source'] === undefined ? failure : { ...failure, type: 'limit' }
}

/** The reason of a call that alone costs more than may run at once; smaller ones are served. */
const TOO_LARGE = 'weight_exceeds_budget'
/** The same, told by words alone. With none left, the number is 0. Source: github.com/can1357/oh-my-pi, issue 9569. */
const tooLarge = /can only afford [1-9]|prompt tokens limit exceeded: \d+ > [1-9]/i
/** Source: github.com/MCPJam/inspector, issue 1287. */
const spentKey = /^key limit exceeded/i

export function classify(failure: RawFailure): FailureClass | undefined {
  const { type, message, retryAfterSeconds } = failure
  const status = failure.bodyStatus ?? failure.status
  if (type === 'moderation') return 'content'
  // With Retry-After, the credits are reserved by running calls and will be free again, so the account is not empty.
  if (status === 402 && retryAfterSeconds !== undefined) return 'throttled'
  if (type === TOO_LARGE || (status === 402 && tooLarge.test(message))) return 'denied'
  // A spent budget of the key, the workspace or a guardrail is a 403.
  if (status === 403 && (type === 'limit' || spentKey.test(message))) return 'insufficient-funds'
  // 403: the request asks for what the account does not allow. The key is good.
  return status === 403 ? 'bad-request' : undefined
}

/** 408: the provider behind OpenRouter timed out and delivered nothing, so another channel may be tried. */
export function isRetryable({ status, bodyStatus = status }: RawFailure): boolean | undefined {
  return bodyStatus === 408 ? true : undefined
}
