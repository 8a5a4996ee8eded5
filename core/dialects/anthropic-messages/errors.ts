import type { ClientError } from '../../contract/dialect.ts'
import type { RawFailure } from '../../contract/errors.ts'
import type { JsonObject } from '../../contract/json.ts'
import { findFailure, findFailureInSuccess } from '../../upstream-failures/read-failure-body.ts'
import { messageWith, type TooLongWords } from '../../upstream-failures/prompt-too-long.ts'
import { namedEvent } from '../neutral/parsed-event.ts'

/** An error event inside a 200 names its status by its type (docs.claude.com, errors). */
const STATUS_OF_TYPE: ReadonlyMap<string, number> = new Map(
  Object.entries<number>({
    invalid_request_error: 400,
    authentication_error: 401,
    billing_error: 402,
    permission_error: 403,
    not_found_error: 404,
    conflict_error: 409,
    request_too_large: 413,
    rate_limit_error: 429,
    api_error: 500,
    timeout_error: 504,
    overloaded_error: 529,
  }),
)

export function writeError(error: ClientError): JsonObject {
  return {
    type: 'error',
    error: {
      type: error.anthropicType,
      message: messageWith(TOO_LONG, error),
      ...detailsOf(error),
    },
    request_id: error.requestId,
  }
}

/** Clients that read this code send the turn again with the whole conversation (platform.claude.com, message threads). */
const THREAD_REFUSED: JsonObject = { error_code: 'thread_unsupported_request' }

function detailsOf({ details, code, param }: ClientError): { details?: JsonObject } {
  if (details !== undefined) return { details }
  return code === 'unsupported_parameter' && param === 'thread' ? { details: THREAD_REFUSED } : {}
}

/** Anthropic has no code for it. */
const TOO_LONG: TooLongWords = {
  sentence: 'prompt is too long',
  counted: ({ used, limit }) => `prompt is too long: ${used} tokens > ${limit} maximum`,
  known: ['prompt is too long', 'exceed context limit'],
}

export function streamError(error: ClientError): string {
  return namedEvent('error', writeError(error))
}

export function readError(status: number, body: unknown): RawFailure | undefined {
  const failure = status < 300 ? findFailureInSuccess(body) : findFailure(status, body)
  if (failure?.type === undefined || failure.bodyStatus !== undefined) return failure
  const bodyStatus = STATUS_OF_TYPE.get(failure.type)
  return bodyStatus === undefined ? failure : { ...failure, bodyStatus }
}
