import type { ChatEvent } from '../../contract/neutral.ts'
import { UpstreamError } from '../../contract/errors.ts'
import { asText, isObject, type JsonObject } from '../../contract/json.ts'
import { unreadable } from '../neutral/parsed-event.ts'
import { charCount } from '../neutral/text-places.ts'
import { readCitation } from './citation.ts'
import { readError } from './errors.ts'
import { refusalOf } from './parse-stream.ts'
import { readStopReason } from './stop-reason.ts'
import { readUsage } from './usage.ts'

export function parseAnswer(body: JsonObject): ChatEvent[] {
  const failure = readError(200, body)
  if (failure !== undefined) throw new UpstreamError(failure)
  if (!Array.isArray(body.content)) throw unreadable()
  const start: ChatEvent = { type: 'start' }
  if (typeof body.id === 'string') start.id = body.id
  if (typeof body.model === 'string') start.model = body.model
  const events: ChatEvent[] = [start]
  const state: AnswerState = { calls: 0, chars: 0 }
  for (const block of body.content) if (isObject(block)) events.push(...readBlock(block, state))
  events.push(...refusalOf(body.stop_details))
  const usage = readUsage(body.usage)
  if (usage !== undefined) events.push({ type: 'usage', usage })
  const native = typeof body.stop_reason === 'string' ? body.stop_reason : 'end_turn'
  const finish: ChatEvent = { type: 'finish', reason: readStopReason(native), native }
  if (typeof body.stop_sequence === 'string') finish.stopSequence = body.stop_sequence
  events.push(finish)
  return events
}

interface AnswerState {
  calls: number
  /** The length of all texts so far. */
  chars: number
}

function readBlock(block: JsonObject, state: AnswerState): ChatEvent[] {
  switch (block.type) {
    case 'text':
      return textEvents(block, state)
    case 'thinking':
      return thinkingEvents(block)
    case 'redacted_thinking':
      return [
        {
          type: 'reasoning_state',
          state: { owner: 'anthropic', data: asText(block.data) },
          redacted: true,
        },
      ]
    case 'tool_use':
      return callEvents(block, state)
    default:
      return []
  }
}

/** A citation applies to the whole block. */
function textEvents(block: JsonObject, state: AnswerState): ChatEvent[] {
  const text = asText(block.text)
  const span = { start: state.chars, end: state.chars + charCount(text) }
  state.chars = span.end
  const events: ChatEvent[] = text === '' ? [] : [{ type: 'text', delta: text }]
  for (const entry of Array.isArray(block.citations) ? block.citations : []) {
    const citation = readCitation(entry, span)
    if (citation !== undefined) events.push({ type: 'citation', citation })
  }
  return events
}

function thinkingEvents(block: JsonObject): ChatEvent[] {
  const events: ChatEvent[] = []
  if (typeof block.thinking === 'string' && block.thinking !== '') {
    events.push({ type: 'reasoning', delta: block.thinking })
  }
  if (typeof block.signature === 'string' && block.signature !== '') {
    events.push({ type: 'reasoning_state', state: { owner: 'anthropic', data: block.signature } })
  }
  return events
}

function callEvents(block: JsonObject, state: AnswerState): ChatEvent[] {
  const index = state.calls
  state.calls += 1
  return [
    { type: 'tool_start', index, id: asText(block.id), name: asText(block.name) },
    { type: 'tool_args', index, delta: JSON.stringify(block.input ?? {}) },
    { type: 'tool_end', index },
  ]
}
