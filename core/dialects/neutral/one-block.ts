// The Anthropic, Responses and Gemini streams have one open block; chat upstreams may mix the deltas of several tool calls.
import type { ChatEvent } from '../../contract/neutral.ts'

type Orderer = (event: ChatEvent) => ChatEvent[]
type OfCall = Extract<ChatEvent, { type: 'tool_args' | 'tool_end' }>

/** Holds back what does not belong to the open tool call until that call ends. One per stream. */
export function oneBlockAtATime(): Orderer {
  const held = new HeldEvents()
  let open: number | undefined

  const release = (): ChatEvent[] => {
    const { events, unended } = held.release()
    open = unended
    return events
  }

  return (event) => {
    if (open === undefined) {
      if (event.type === 'tool_start') open = event.index
      return [event]
    }
    if (isOfCall(event) && event.index === open) {
      return event.type === 'tool_end' ? [event, ...release()] : [event]
    }
    // Usage has no place in the order, and errors wait for nobody.
    if (event.type === 'usage' || event.type === 'error') return [event]
    if (event.type === 'finish') return [...release(), event]
    held.add(event)
    return []
  }
}

interface Held {
  event: ChatEvent
  /** Of the tool call that the event begins: what came of it since. */
  own: ChatEvent[]
  hasEnded: boolean
}

/** Each event is looked at once when it comes and once when it goes, however many calls are mixed. */
class HeldEvents {
  #waiting: Held[] = []
  /** How many of them have gone. */
  #gone = 0
  /** Begun and not ended, by index. */
  readonly #calls = new Map<number, Held>()

  add(event: ChatEvent): void {
    if (isOfCall(event)) {
      const call = this.#calls.get(event.index)
      if (call) return this.#addTo(call, event)
    }
    const held = { event, own: [], hasEnded: false }
    this.#waiting.push(held)
    if (event.type === 'tool_start') this.#calls.set(event.index, held)
  }

  /** In their order, each call whole; up to one that has not ended. */
  release(): { events: ChatEvent[]; unended: number | undefined } {
    const events: ChatEvent[] = []
    while (this.#gone < this.#waiting.length) {
      const { event, own, hasEnded } = this.#waiting[this.#gone] as Held
      this.#gone += 1
      events.push(event)
      for (const more of own) events.push(more)
      if (event.type !== 'tool_start' || hasEnded) continue
      this.#calls.delete(event.index)
      return { events, unended: event.index }
    }
    this.#waiting = []
    this.#gone = 0
    return { events, unended: undefined }
  }

  #addTo(call: Held, event: OfCall): void {
    call.own.push(event)
    if (event.type !== 'tool_end') return
    call.hasEnded = true
    this.#calls.delete(event.index)
  }
}

function isOfCall(event: ChatEvent): event is OfCall {
  return event.type === 'tool_args' || event.type === 'tool_end'
}
