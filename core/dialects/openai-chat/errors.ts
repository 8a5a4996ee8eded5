import type { ClientError } from '../../contract/dialect.ts'
import type { RawFailure } from '../../contract/errors.ts'
import type { JsonObject } from '../../contract/json.ts'
import { findFailure, findFailureInSuccess } from '../../upstream-failures/read-failure-body.ts'
import { messageWith, type TooLongWords } from '../../upstream-failures/prompt-too-long.ts'
import { dataEvent, namedEvent } from '../neutral/parsed-event.ts'

/** LangChain and LiteLLM recognise this error by its words, not by its code. */
const TOO_LONG: TooLongWords = {
  sentence: "This model's maximum context length is exceeded",
  counted: ({ used, limit }) =>
    `This model's maximum context length is ${limit} tokens. However, your messages resulted in ${used} tokens`,
  known: [
    'exceeds the context window',
    'maximum context length',
    'input tokens exceed the configured limit',
  ],
}

export function writeError(error: ClientError): { error: JsonObject } {
  return {
    error: {
      message: messageWith(TOO_LONG, error),
      type: error.openaiType,
      param: error.param,
      code: error.code,
    },
  }
}

/** Where output has begun no status tells whether to repeat the call. Fantasy, the engine of Crush, looks for OpenAI's own word. */
export function writeStreamedError(error: ClientError): { error: JsonObject } {
  const isUpstream = error.openaiType === 'upstream_error'
  return writeError(isUpstream ? { ...error, openaiType: 'server_error' } : error)
}

/** Without a `[DONE]`. OpenAI's SDKs turn the first event into an APIError and read no further; those of 2023 do not see
 *  one that has a name. LangChain4j knows only an event named `error`, and without it takes the answer for a whole one. */
export function streamError(error: ClientError): string {
  const data = writeStreamedError(error)
  return dataEvent(data) + namedEvent('error', data)
}

export function readError(status: number, body: unknown): RawFailure | undefined {
  return status < 300 ? findFailureInSuccess(body) : findFailure(status, body)
}
