import type { AnswerMeta, ChatEvent, PassFilter, SseEvent, Usage } from '../../contract/dialect.ts'
import { isObject, type JsonObject } from '../../contract/json.ts'
import { writeUsage } from './usage.ts'

/** Events go on as they are; only a mark of the chat dialect that some servers add is held back. */
export function passFilter(_meta: AnswerMeta): PassFilter {
  const filter = (event: SseEvent, _events: readonly ChatEvent[]) =>
    event.data === '[DONE]' ? undefined : event.raw
  return Object.assign(filter, { end: () => '' })
}

export function passAnswer(body: JsonObject, _meta: AnswerMeta, counted?: Usage): JsonObject {
  if (isObject(body.usage) || counted === undefined) return body
  return { ...body, usage: writeUsage(counted) }
}
