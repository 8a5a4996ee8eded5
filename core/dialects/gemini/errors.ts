import type { ClientError } from '../../contract/dialect.ts'
import type { RawFailure } from '../../contract/errors.ts'
import { isObject, objectsOf, type JsonObject } from '../../contract/json.ts'
import { findFailure, findFailureInSuccess } from '../../upstream-failures/read-failure-body.ts'
import { messageWith, type TooLongWords } from '../../upstream-failures/prompt-too-long.ts'

const TOO_LONG: TooLongWords = {
  sentence: 'The input token count exceeds the maximum number of tokens allowed',
  counted: ({ used, limit }) =>
    `The input token count (${used}) exceeds the maximum number of tokens allowed (${limit})`,
  known: ['exceeds the maximum number of tokens allowed'],
}

const OVERLOADED = 529

/** Google has no 529, and its SDKs repeat a call after 503 alone. */
export function errorStatus(status: number): number {
  return status === OVERLOADED ? 503 : status
}

export function writeError(error: ClientError): JsonObject {
  return {
    error: {
      code: errorStatus(error.status),
      message: messageWith(TOO_LONG, error),
      status: error.geminiStatus,
    },
  }
}

/** The caller must destroy the connection afterwards, since SDKs of the 1.x line notice nothing else. It may follow events
 *  of Google's, whose lines end in CRLF: the Go SDK takes all that it has read before two LF for one event. Events that end
 *  in LF may stand before it. */
export function streamError(error: ClientError): string {
  return `data: ${JSON.stringify(writeError(error))}\r\n\r\n`
}

export function readError(status: number, body: unknown): RawFailure | undefined {
  const reading = { isCodeStatus: true }
  const failure =
    status < 300 ? findFailureInSuccess(body, reading) : findFailure(status, body, reading)
  if (failure === undefined) return undefined
  const holder: unknown = Array.isArray(body) ? body[0] : body
  const error = isObject(holder) && isObject(holder.error) ? holder.error : {}
  const details = objectsOf(error.details)
  const reason = details.find((detail) => typeof detail.reason === 'string')?.reason
  const delay = details.find((detail) => typeof detail.retryDelay === 'string')?.retryDelay
  const seconds = typeof delay === 'string' ? Math.ceil(Number.parseFloat(delay)) : Number.NaN
  return {
    ...failure,
    // The reason (API_KEY_INVALID …) is more specific than the status.
    ...(typeof reason === 'string' ? { type: reason } : {}),
    ...(Number.isNaN(seconds) ? {} : { retryAfterSeconds: seconds }),
  }
}
