import type { ClientError } from '../../contract/dialect.ts'
import type { RawFailure } from '../../contract/errors.ts'
import type { JsonObject } from '../../contract/json.ts'
import { findFailure } from '../../upstream-failures/read-failure-body.ts'
import { writeStreamedError } from '../openai-chat/errors.ts'
import { namedEvent } from '../neutral/parsed-event.ts'

const NUMBER = '"sequence_number":'

/** The response that an `error` event leaves open is closed by `response.failed`, as OpenAI's own streams are. Codex and LangChain4j know only
 *  the latter: without it one repeats the call and tells of a lost connection, the other waits for ever. Without a number
 *  Vercel's SDK shows its own complaint about the event in place of the message.
 *  @param begun the response as it was announced. One in the background goes on where it is, whatever becomes of its stream */
export function streamError(error: ClientError, before = '', begun?: JsonObject): string {
  const sequence_number = numberAfter(before)
  const event = namedEvent('error', { type: 'error', sequence_number, ...errorEvent(error) })
  if (begun?.['background'] === true) return event
  const type = 'response.failed'
  const response = failedResponse(error, begun)
  return event + namedEvent(type, { type, sequence_number: sequence_number + 1, response })
}

/** @param begun absent if the call failed before the client got any event of it */
export function failedResponse(error: ClientError, begun?: JsonObject): JsonObject {
  const { message } = errorEvent(error)
  const head = begun ?? {
    id: `resp_${error.requestId}`,
    object: 'response',
    created_at: Math.floor(Date.now() / 1000),
    incomplete_details: null,
    output: [],
  }
  return {
    ...head,
    status: 'failed',
    error: { code: String(error.code ?? 'server_error'), message },
    usage: null,
  }
}

/** Nested in `error`, which OpenAI's SDKs turn into an exception: without nesting it would be an ordinary event. Beside it
 *  the fields of OpenAI's reference, without which decoders of typed languages cannot read the event. */
export function errorEvent(error: ClientError): JsonObject {
  const body = writeStreamedError(error)
  const { code = null, message = '', param = null } = body.error
  return { code, message, param, ...body }
}

function numberAfter(before: string): number {
  const at = before.lastIndexOf(NUMBER)
  const last = at < 0 ? Number.NaN : Number.parseInt(before.slice(at + NUMBER.length), 10)
  return Number.isNaN(last) ? 0 : last + 1
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
