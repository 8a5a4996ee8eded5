import {
  findFailureInSuccess,
  isObject,
  readFailure,
  type FailureClass,
  type RawFailure,
} from '#core'

/** The numeric `code` is the status that the failure would have had; it counts inside a 200. Source: openrouter.ai/docs, page "Errors". */
export function readError(status: number, body: unknown): RawFailure | undefined {
  if (status !== 200) return withMetadata(readFailure(status, body, { isCodeStatus: true }), body)
  const failure =
    findFailureInSuccess(body, { isCodeStatus: true }) ??
    findFailureInSuccess(firstChoice(body), { isCodeStatus: true })
  return failure && { ...failure, bodyStatus: failure.bodyStatus ?? 502 }
}

function firstChoice(body: unknown): unknown {
  return isObject(body) && Array.isArray(body['choices']) ? body['choices'][0] : undefined
}

/** A refusal of the input is told only by what stands in `metadata`. */
function withMetadata(failure: RawFailure, body: unknown): RawFailure {
  const error = isObject(body) ? body['error'] : undefined
  const metadata = isObject(error) ? error['metadata'] : undefined
  const isFlagged =
    isObject(metadata) &&
    (metadata['reasons'] !== undefined || metadata['flagged_input'] !== undefined)
  return isFlagged ? { ...failure, type: 'moderation' } : failure
}

export function classify({
  status,
  type,
  retryAfterSeconds,
}: RawFailure): FailureClass | undefined {
  if (type === 'moderation') return 'content'
  // Credits that calls in flight hold come back; the account is not empty.
  if (status === 402 && retryAfterSeconds !== undefined) return 'throttled'
  // A missing permission is the caller's matter: the request asks for what the account does not allow.
  return status === 403 ? 'bad-request' : undefined
}
