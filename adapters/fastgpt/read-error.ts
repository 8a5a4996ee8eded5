import {
  findFailure,
  findFailureInSuccess,
  isObject,
  readFailure,
  type FailureClass,
  type JsonObject,
  type RawFailure,
} from '#core'

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

/** FastGPT answers 500 for most faults; code, word and message decide. */
export function classify({ code, type = '', message }: RawFailure): FailureClass | undefined {
  if (code === 514 || type === 'unAuthApiKey' || message.includes('Key is error')) return 'dead-key'
  if (code === 403 || type === 'unAuthorization') return 'dead-key'
  // The words for too many calls and for an empty balance: (unconfirmed)
  if (type.includes('QPM')) return 'throttled'
  if (/insufficient/i.test(type)) return 'no-money'
  return undefined
}
