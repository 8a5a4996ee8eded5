import type { ChatEvent } from '../../contract/neutral.ts'
import { UpstreamError } from '../../contract/errors.ts'
import { isObject, type JsonObject } from '../../contract/json.ts'
import { unreadable } from '../neutral/parsed-event.ts'
import { readError } from './errors.ts'
import { ChatStreamParser } from './parse-stream.ts'

/** Reads a whole answer as one large chunk whose messages are deltas. */
export function parseAnswer(body: JsonObject): ChatEvent[] {
  const failure = readError(200, body)
  if (failure !== undefined) throw new UpstreamError(failure)
  const choices = Array.isArray(body.choices) ? (body.choices as unknown[]) : undefined
  if (choices === undefined || !choices.some(isObject)) throw unreadable()
  const parser = new ChatStreamParser()
  const events = parser.push({ event: undefined, data: '{}', raw: '', json: body })
  events.push(...parser.end())
  if (!events.some((event) => event.type === 'finish'))
    events.push({ type: 'finish', reason: 'stop' })
  return events
}
