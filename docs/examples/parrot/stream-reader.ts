import {
  type ChatEvent,
  type JsonObject,
  type OwnStreamReader,
  type SseEvent,
  UpstreamError,
} from 'tollgate/contract'
import { parsedEvent, reasoningEvents, textEvents } from 'tollgate/adapter-kit'
import { faultIn } from './failures.ts'
import { endOf, startOf, wantEvents } from './read-answer.ts'

/** One for each stream: each line says in `do` what it is. */
export class StreamReader implements OwnStreamReader {
  isComplete = false
  #isStarted = false
  #wants = 0

  push(event: SseEvent): ChatEvent[] {
    const line = parsedEvent(event)
    const fault = faultIn(200, line)
    if (fault) throw new UpstreamError(fault)
    const events = this.#read(line)
    if (events.length === 0 || this.#isStarted) return events
    this.#isStarted = true
    return line['do'] === 'open' ? events : [{ type: 'start' }, ...events]
  }

  end(): ChatEvent[] {
    return []
  }

  #read(line: JsonObject): ChatEvent[] {
    switch (line['do']) {
      case 'open':
        return [startOf(line)]
      case 'think':
        return reasoningEvents(line['text'])
      case 'say':
        return textEvents(line['text'])
      case 'want':
        return wantEvents(line, this.#wants++)
      case 'close':
        this.isComplete = true
        return endOf(line)
      // Lines of a later version.
      default:
        return []
    }
  }
}
