import type { SseEvent } from '../contract/dialect.ts'
import { type EventSplitter, LONGEST_EVENT, type Take, tooLong } from './sse.ts'
import { Utf8Reader } from './utf8-reader.ts'

/** Reads one JSON text per line (Ollama, Cohere's older API). Empty lines are skipped. */
export class NdjsonSplitter implements EventSplitter {
  readonly #reader = new Utf8Reader()
  readonly #limit: number
  #pieces: string[] = []
  #length = 0

  constructor(limit: number = LONGEST_EVENT) {
    this.#limit = limit
  }

  push(bytes: Uint8Array): SseEvent[] {
    return this.#take(this.#reader.read(bytes))
  }

  readonly isBetween = false
  readonly textLength = -1

  read(bytes: Uint8Array, take: Take): void {
    for (const event of this.push(bytes)) take(event)
  }

  end(): SseEvent[] {
    return this.#take(`${this.#reader.end()}\n`)
  }

  #take(text: string): SseEvent[] {
    const events: SseEvent[] = []
    let start = 0
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', start)) {
      this.#pieces.push(text.slice(start, at))
      const line = this.#pieces.join('').trim()
      this.#pieces = []
      this.#length = 0
      if (line !== '') events.push({ event: undefined, data: line, raw: `${line}\n` })
      start = at + 1
    }
    if (start < text.length) {
      this.#pieces.push(text.slice(start))
      this.#length += text.length - start
      if (this.#length > this.#limit) throw tooLong(this.#limit)
    }
    return events
  }
}
