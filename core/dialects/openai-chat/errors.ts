import type { ClientError } from '../../contract/dialect.ts'
import type { RawFailure } from '../../contract/errors.ts'
import type { JsonObject } from '../../contract/json.ts'
import { findFailure, findFailureInSuccess } from '../../failures/read-failure-body.ts'
import { dataEvent } from '../neutral/parsed-event.ts'

export function writeError(error: ClientError): JsonObject {
  return {
    error: {
      message: error.message,
      type: error.openaiType,
      param: error.param,
      code: error.code,
    },
  }
}

/** One event and no `[DONE]`: the SDK raises an APIError on it. */
export function streamError(error: ClientError): string {
  return dataEvent(writeError(error))
}

export function readError(status: number, body: unknown): RawFailure | undefined {
  return status < 300 ? findFailureInSuccess(body) : findFailure(status, body)
}
