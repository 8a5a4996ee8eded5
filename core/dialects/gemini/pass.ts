import type { AnswerMeta, PassFilter, SseEvent } from '../../contract/dialect.ts'
import type { Usage } from '../../contract/neutral.ts'
import { isObject, type JsonObject } from '../../contract/json.ts'
import { blankLineOf } from '../neutral/parsed-event.ts'
import { passFilterOf } from '../neutral/pass-filter.ts'
import { writeUsage } from './usage.ts'

/** Keeps a connection alive. The Python SDK reads a comment as JSON and throws; all SDKs skip an empty line. */
export const BLANK = '\n'

/** Google's SDKs lose events that have a name or a comment, and throw on `[DONE]`. Everything else passes unchanged. */
export function passFilter(_meta: AnswerMeta): PassFilter {
  const pass = (event: SseEvent): string | undefined => {
    if (event.data === '[DONE]') return undefined
    if (event.data === '') return BLANK
    if (event.raw.startsWith('data:')) return event.raw
    return `data: ${event.data}${blankLineOf(event.raw)}`
  }
  return passFilterOf(pass, () => '')
}

export function passAnswer(body: JsonObject, _meta: AnswerMeta, counted?: Usage): JsonObject {
  if (isObject(body.usageMetadata) || counted === undefined) return body
  return { ...body, usageMetadata: writeUsage(counted) }
}
