import type { ClientError } from '../../contract/dialect.ts'
import type { RawFailure } from '../../contract/errors.ts'
import type { JsonObject } from '../../contract/json.ts'
import { findFailure, findFailureInSuccess } from '../../failures/read-failure-body.ts'
import { messageWith, type TooLongWords } from '../../failures/prompt-too-long.ts'
import { dataEvent } from '../neutral/parsed-event.ts'

/** LangChain and LiteLLM recognise this error by its words, not by its code. */
const TOO_LONG: TooLongWords = {
  sentence: "This model's maximum context length is exceeded",
  known: [
    'exceeds the context window',
    'maximum context length',
    'input tokens exceed the configured limit',
  ],
}

export function writeError(error: ClientError): JsonObject {
  return {
    error: {
      message: messageWith(TOO_LONG, error),
      type: error.openaiType,
      param: error.param,
      code: error.code,
    },
  }
}

/** One event without a `[DONE]`: the SDK turns it into an APIError. */
export function streamError(error: ClientError): string {
  return dataEvent(writeError(error))
}

export function readError(status: number, body: unknown): RawFailure | undefined {
  return status < 300 ? findFailureInSuccess(body) : findFailure(status, body)
}
