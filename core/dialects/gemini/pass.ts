import type { AnswerMeta, PassFilter, SseEvent } from '../../contract/dialect.ts'
import type { Usage } from '../../contract/neutral.ts'
import { isObject, type JsonObject } from '../../contract/json.ts'
import { passFilterOf } from '../neutral/pass-filter.ts'
import { writeUsage } from './usage.ts'

/** What keeps a connection alive: the Python SDK takes a comment for JSON and throws, a line without anything is skipped by all. */
export const BLANK = '\n'

/** The Google SDK loses events with a name or a comment in them and throws on `[DONE]`; all else goes on as it is. */
export function passFilter(_meta: AnswerMeta): PassFilter {
  const pass = (event: SseEvent): string | undefined => {
    if (event.data === '[DONE]') return undefined
    if (event.data === '') return BLANK
    if (event.raw.startsWith('data:')) return event.raw
    return `data: ${event.data}\n\n`
  }
  return passFilterOf(pass, () => '')
}

export function passAnswer(body: JsonObject, _meta: AnswerMeta, counted?: Usage): JsonObject {
  if (isObject(body.usageMetadata) || counted === undefined) return body
  return { ...body, usageMetadata: writeUsage(counted) }
}
