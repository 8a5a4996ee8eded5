import type { AnswerHints } from '../../contract/dialect.ts'
import type { ChatEvent } from '../../contract/neutral.ts'
import { UpstreamError } from '../../contract/errors.ts'
import type { JsonObject } from '../../contract/json.ts'
import { unreadable } from '../neutral/parsed-event.ts'
import { readError } from './errors.ts'
import { GeminiStreamParser } from './parse-stream.ts'

/** A whole answer has the shape of a chunk. */
export function parseAnswer(body: JsonObject, hints?: AnswerHints): ChatEvent[] {
  const failure = readError(200, body)
  if (failure !== undefined) throw new UpstreamError(failure)
  if (!Array.isArray(body.candidates) && body.promptFeedback === undefined) throw unreadable()
  const parser = new GeminiStreamParser(hints)
  const events = parser.read(body)
  parser.end()
  if (!parser.isComplete) events.push({ type: 'finish', reason: 'stop' })
  return events
}
