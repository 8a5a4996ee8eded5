import type { ChatEvent, OwnStreamReader, SseEvent } from '#core'
import { opening, parsedEvent, textEvents, usageEvents } from '#adapter-kit'
import { callEvents, checked, reasonOf, usageIn } from './read-answer.ts'

/** Each event is a small answer; the one with `is_end` is the last. */
export class StreamReader implements OwnStreamReader {
  isComplete = false
  #isStarted = false
  #hasCall = false

  push(event: SseEvent): ChatEvent[] {
    if (event.data === '' || event.data === '[DONE]') return []
    const piece = checked(parsedEvent(event))
    const events: ChatEvent[] = this.#isStarted ? [] : [opening(piece.id, piece.created)]
    this.#isStarted = true
    const call = this.#hasCall ? [] : callEvents(piece)
    if (call.length > 0) this.#hasCall = true
    // The counts grow with each event, and the last one may leave them out.
    events.push(...textEvents(piece.result), ...call, ...usageEvents(usageIn(piece)))
    if (piece.is_end !== true) return events
    this.isComplete = true
    const reason = this.#hasCall ? 'tool_calls' : reasonOf(piece)
    return [...events, { type: 'finish', reason }]
  }

  end(): ChatEvent[] {
    return []
  }
}
