import type { ClientError } from '../../contract/dialect.ts'
import type { RawFailure } from '../../contract/errors.ts'
import type { JsonObject } from '../../contract/json.ts'
import { findFailure, findFailureInSuccess } from '../../upstream-failures/read-failure-body.ts'
import { writeError } from '../openai-chat/errors.ts'
import { namedEvent } from '../neutral/parsed-event.ts'

const NUMBER = '"sequence_number":'

/** Nested in `error`, which the SDK turns into an exception. Without nesting it would be an ordinary event, and without a
 *  number Vercel's SDK shows its own complaint about the event in place of the message. */
export function streamError(error: ClientError, before = ''): string {
  const fields = { sequence_number: numberAfter(before), ...writeError(error) }
  return namedEvent('error', { type: 'error', ...fields })
}

function numberAfter(before: string): number {
  const at = before.lastIndexOf(NUMBER)
  const last = at < 0 ? Number.NaN : Number.parseInt(before.slice(at + NUMBER.length), 10)
  return Number.isNaN(last) ? 0 : last + 1
}

export function readError(status: number, body: unknown): RawFailure | undefined {
  return status < 300 ? findFailureInSuccess(body) : findFailure(status, body)
}

/** Reads the error of a response object whose status is failed. */
export function readFailed(response: JsonObject): RawFailure {
  return (
    findFailure(200, { error: response.error }) ?? {
      status: 200,
      message: 'The model failed to produce a response.',
      code: null,
      type: 'server_error',
      isKnownShape: true,
    }
  )
}
