import {
  type ChatEvent,
  type OwnStreamReader,
  type SseEvent,
  UpstreamError,
} from 'tollgate/contract'
import { parsedEvent, readFailure, textEvents } from 'tollgate/adapter-kit'
import { endOf } from './read-answer.ts'

/** One for each stream. Unknown events are left out: Acme may add some. */
export class StreamReader implements OwnStreamReader {
  /** False at the end of the bytes: the stream was cut. */
  isComplete = false
  #isStarted = false

  push(event: SseEvent): ChatEvent[] {
    const data = parsedEvent(event)
    if (data['error'] !== undefined) throw new UpstreamError(readFailure(200, data))
    if (typeof data['piece'] === 'string') return [...this.#start(), ...textEvents(data['piece'])]
    if (data['end'] === undefined) return []
    this.isComplete = true
    return [...this.#start(), ...endOf(data)]
  }

  end(): ChatEvent[] {
    return []
  }

  #start(): ChatEvent[] {
    if (this.#isStarted) return []
    this.#isStarted = true
    return [{ type: 'start' }]
  }
}
