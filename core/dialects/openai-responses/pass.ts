import type { AnswerMeta, ClientError, PassFilter, SseEvent } from '../../contract/dialect.ts'
import type { Usage } from '../../contract/neutral.ts'
import { isObject, type JsonObject, objectIn } from '../../contract/json.ts'
import { passFilterOf } from '../neutral/pass-filter.ts'
import { streamError } from './errors.ts'
import { writeUsage } from './usage.ts'

/** Passes events on unchanged, except for the end mark of the chat dialect that some servers add. */
export function passFilter(_meta: AnswerMeta): PassFilter {
  let first: SseEvent | undefined
  const pass = (event: SseEvent) => {
    first ??= event
    return event.data === '[DONE]' ? undefined : event.raw
  }
  const error = (failure: ClientError, before: string) =>
    streamError(failure, before, responseOf(first))
  return Object.assign(
    passFilterOf(pass, () => ''),
    { error },
  )
}

function responseOf(event: SseEvent | undefined): JsonObject | undefined {
  const response = event && objectIn(event.data)?.['response']
  return isObject(response) ? response : undefined
}

export function passAnswer(body: JsonObject, _meta: AnswerMeta, counted?: Usage): JsonObject {
  if (isObject(body.usage) || counted === undefined) return body
  return { ...body, usage: writeUsage(counted) }
}
