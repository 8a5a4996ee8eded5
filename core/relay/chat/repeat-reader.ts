import type { SseEvent } from '../../contract/dialect.ts'
import type { ChatEvent } from '../../contract/neutral.ts'

/**
 * Most events of a stream differ in one text alone. Once an event has passed unchanged and told nothing but a text, the next ones of the same
 * frame are recognised by comparing strings, without parsing JSON.
 */
export class RepeatReader {
  #before = ''
  #after = ''

  /** The text event, when `event` repeats the learned frame. */
  read({ raw }: SseEvent): ChatEvent[] | undefined {
    const { length } = this.#before
    if (length === 0 || raw.length < length + this.#after.length) return undefined
    // Not startsWith and endsWith: with a pattern that is a slice of a longer string they cost more than parsing does.
    const textEnd = raw.length - this.#after.length
    if (raw.slice(0, length) !== this.#before || raw.slice(textEnd) !== this.#after)
      return undefined
    const text = raw.slice(length, textEnd)
    // A quote could end the text early; whatever is escaped takes the long way too.
    if (text === '' || text.includes('"') || text.includes('\\')) return undefined
    return [{ type: 'text', delta: text }]
  }

  /** Looks whether the frame of an event that passed unchanged can be learned. */
  learn({ raw }: SseEvent, events: readonly ChatEvent[]): void {
    const [only] = events
    if (
      events.length !== 1 ||
      only?.type !== 'text' ||
      only.choice !== undefined ||
      only.state ||
      only.logprobs
    )
      return
    const quoted = JSON.stringify(only.delta)
    const at = raw.indexOf(quoted)
    // The same text twice in one event leaves open which of them is the answer's.
    if (at < 0 || raw.includes(quoted, at + 1)) return
    this.#before = raw.slice(0, at + 1)
    this.#after = raw.slice(at + quoted.length - 1)
  }
}
