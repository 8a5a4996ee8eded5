// Handles stop sequences that a target refuses: the text is cut before the first one that occurs.
import type { BuildTarget } from '../../contract/dialect.ts'
import type { ChatEvent, EventOf } from '../../contract/neutral.ts'

/** Longer or more stop sequences are not searched for, because each piece of an answer is compared with all of them. */
const LONGEST_STOP = 64
const MOST_STOPS = 16

/** Leaves stop sequences that the target refuses to the gateway, which cuts the text itself, if it reads the answer. */
export function cutHere(stops: readonly string[], { dropped, hints }: BuildTarget): void {
  const cut = stops.filter((text) => text.length <= LONGEST_STOP).slice(0, MOST_STOPS)
  if (stops.length > 0 && (hints === undefined || cut.length < stops.length)) dropped.push('stop')
  if (hints !== undefined && cut.length > 0) hints.stops = cut
}

/** Edits the events of an answer with one choice. Text that may be the beginning of a stop sequence is held back until
 *  the next text arrives. */
export class StopCutter {
  readonly #stops: readonly string[]
  #held = ''
  #usage: EventOf<'usage'> | undefined
  /** The text was cut; the answer counts as complete whatever the upstream still sends. */
  isCut = false

  constructor(stops: readonly string[]) {
    this.#stops = stops
  }

  edit(events: readonly ChatEvent[]): ChatEvent[] {
    return events.flatMap((event) => this.#one(event))
  }

  /** Text that was still held back when the upstream ended. */
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

  #text(event: EventOf<'text'>): ChatEvent[] {
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

  /** How many characters at the end of the text may begin a stop sequence. */
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
    // The upstream's count so far is incomplete: until the final one arrives, the output counts as unreported.
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
