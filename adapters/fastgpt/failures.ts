import { isObject, type FailureClass, type JsonObject, type RawFailure } from '#core'
import { classTable, findFailure, findFailureInSuccess, readFailure } from '#adapter-kit'

/** `{code, statusText, message, data}`: the word is what other providers write as type. */
export function readError(status: number, body: unknown): RawFailure | undefined {
  if (!isObject(body) || typeof body.statusText !== 'string') return undefined
  const found = status < 300 ? findFailureInSuccess(body) : findFailure(status, body)
  return found && { ...found, type: body.statusText }
}

/** The data of an `error` event: the same members, any of which but the message may be missing. */
export function eventFailure(body: JsonObject): RawFailure {
  const { statusText } = body
  const failure = readFailure(200, body)
  return typeof statusText === 'string' ? { ...failure, type: statusText } : failure
}

/** Source: labring/FastGPT, packages/global/common/error/code. */
const byWord = classTable({
  'invalid-credentials': [514, 403, 'unAuthApiKey', 'unAuthorization'],
  'insufficient-funds': ['aiPointsNotEnough'],
})

/** FastGPT answers 500 for most faults; code, word and message decide. */
export function classify(failure: RawFailure): FailureClass | undefined {
  const { type = '', message } = failure
  if (message.includes('Key is error')) return 'invalid-credentials'
  // The words of other versions for too many calls and for an empty balance: (unconfirmed)
  if (type.includes('QPM')) return 'throttled'
  return /insufficient/i.test(type) ? 'insufficient-funds' : byWord(failure)
}
