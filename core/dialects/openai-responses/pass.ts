import type { AnswerMeta, PassFilter } from '../../contract/dialect.ts'
import type { Usage } from '../../contract/neutral.ts'
import { isObject, type JsonObject } from '../../contract/json.ts'
import { passFilterOf } from '../neutral/pass-filter.ts'
import { writeUsage } from './usage.ts'

/** Passes events on unchanged, except for the end mark of the chat dialect that some servers add. */
export function passFilter(_meta: AnswerMeta): PassFilter {
  return passFilterOf(
    (event) => (event.data === '[DONE]' ? undefined : event.raw),
    () => '',
  )
}

export function passAnswer(body: JsonObject, _meta: AnswerMeta, counted?: Usage): JsonObject {
  if (isObject(body.usage) || counted === undefined) return body
  return { ...body, usage: writeUsage(counted) }
}
