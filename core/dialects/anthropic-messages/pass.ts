import type { AnswerMeta, PassFilter, SseEvent } from '../../contract/dialect.ts'
import type { Usage } from '../../contract/neutral.ts'
import { isObject, type JsonObject } from '../../contract/json.ts'
import { namedEvent, parsedEvent } from '../neutral/parsed-event.ts'
import { passFilterOf } from '../neutral/pass-filter.ts'
import { writeUsage } from './usage.ts'

/** Passes events unchanged, except where Anthropic's SDK would fail: an event without its name, a second start, a missing stop. */
export function passFilter(_meta: AnswerMeta): PassFilter {
  let isStarted = false
  let isStopped = false
  const pass = (event: SseEvent): string | undefined => {
    if (event.data === '') return event.raw
    if (event.data === '[DONE]') return undefined
    const data = parsedEvent(event)
    const type = typeof data.type === 'string' ? data.type : (event.event ?? 'message')
    if (type === 'message_start') {
      if (isStarted) return undefined
      isStarted = true
    }
    if (type === 'message_stop') isStopped = true
    return event.event === type ? event.raw : namedEvent(type, data)
  }
  const end = () => (isStopped ? '' : namedEvent('message_stop', { type: 'message_stop' }))
  return passFilterOf(pass, end)
}

export function passAnswer(body: JsonObject, _meta: AnswerMeta, counted?: Usage): JsonObject {
  if (isObject(body.usage) || counted === undefined) return body
  return { ...body, usage: writeUsage(counted) }
}
