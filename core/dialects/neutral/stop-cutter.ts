// Stop sequences that a target refuses are looked for here: the text ends before the first that comes.
import type { ChatEvent } from '../../contract/neutral.ts'

/** Longer or more ones are looked for in vain: each piece of an answer is compared with all of them. */
export const LONGEST_STOP = 64
export const MOST_STOPS = 16

/** Edits the events of one answer of one choice. What may be the beginning of a stop sequence is held back until the next text tells. */
export class StopCutter {
  readonly #stops: readonly string[]
  #held = ''
  #usage: Extract<ChatEvent, { type: 'usage' }> | undefined
  /** The text was ended; the answer is complete whatever the upstream still says. */
  isCut = false

  constructor(stops: readonly string[]) {
    this.#stops = stops
  }

  edit(events: readonly ChatEvent[]): ChatEvent[] {
    return events.flatMap((event) => this.#one(event))
  }

  /** What was held back when the upstream ended. */
  end(): ChatEvent[] {
    return this.isCut ? [] : this.#release()
  }

  #one(event: ChatEvent): ChatEvent[] {
    if (event.type === 'usage') {
      this.#usage = event
      return [event]
    }
    if (event.type === 'error') return [event]
    if (this.isCut) return []
    if (event.type === 'text') return this.#text(event)
    return [...this.#release(), event]
  }

  #text(event: Extract<ChatEvent, { type: 'text' }>): ChatEvent[] {
    const text = this.#held + event.delta
    const found = this.#first(text)
    if (found !== undefined) return this.#cut(text.slice(0, found.at), found.stop)
    const kept = this.#openLength(text)
    this.#held = kept === 0 ? '' : text.slice(-kept)
    const shown = kept === 0 ? text : text.slice(0, -kept)
    return shown === '' ? [] : [{ ...event, delta: shown }]
  }

  #first(text: string): { at: number; stop: string } | undefined {
    let first: { at: number; stop: string } | undefined
    for (const stop of this.#stops) {
      const at = text.indexOf(stop)
      if (at >= 0 && (first === undefined || at < first.at)) first = { at, stop }
    }
    return first
  }

  /** How many characters at the end of the text begin a stop sequence. */
  #openLength(text: string): number {
    let longest = 0
    for (const stop of this.#stops) {
      for (let length = Math.min(stop.length - 1, text.length); length > longest; length -= 1) {
        if (text.endsWith(stop.slice(0, length))) longest = length
      }
    }
    return longest
  }

  #cut(text: string, stop: string): ChatEvent[] {
    this.isCut = true
    this.#held = ''
    const events: ChatEvent[] = text === '' ? [] : [{ type: 'text', delta: text }]
    // What the upstream has counted so far is not the whole: until its last word comes, the output counts as untold.
    if (this.#usage !== undefined) {
      events.push({ type: 'usage', usage: { ...this.#usage.usage, output: 0 } })
    }
    events.push({ type: 'finish', reason: 'stop_sequence', stopSequence: stop })
    return events
  }

  #release(): ChatEvent[] {
    const text = this.#held
    this.#held = ''
    return text === '' ? [] : [{ type: 'text', delta: text }]
  }
}
