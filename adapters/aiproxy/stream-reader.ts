import { UpstreamError, type ChatEvent, type OwnStreamReader, type SseEvent } from '#core'
import { closing, parsedEvent, textEvents } from '#adapter-kit'
import { readError } from './failures.ts'
import { documentList } from './read-answer.ts'

export class StreamReader implements OwnStreamReader {
  isComplete = false
  #isStarted = false
  #documents: unknown

  push(event: SseEvent): ChatEvent[] {
    if (event.data === '' || this.isComplete) return []
    if (event.data === '[DONE]') return this.#finish()
    const piece = parsedEvent(event)
    const failure = readError(200, piece)
    if (failure) throw new UpstreamError(failure)
    const events: ChatEvent[] = this.#isStarted ? [] : [{ type: 'start' }]
    this.#isStarted = true
    // The list may come with any piece; it is shown at the end.
    if (Array.isArray(piece.documents) && piece.documents.length > 0)
      this.#documents = piece.documents
    events.push(...textEvents(piece.content))
    return piece.finish === true ? [...events, ...this.#finish()] : events
  }

  #finish(): ChatEvent[] {
    this.isComplete = true
    return [...textEvents(documentList(this.#documents)), ...closing('stop', undefined)]
  }

  end(): ChatEvent[] {
    return []
  }
}
