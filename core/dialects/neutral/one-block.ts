// The streams of Anthropic, Responses and Gemini have one open block at a time, while chat upstreams may mix the deltas
// of several tool calls.
import type { ChatEvent, EventOf } from '../../contract/neutral.ts'

type Orderer = (event: ChatEvent) => ChatEvent[]
type OfCall = EventOf<'tool_args' | 'tool_end'>

/** Holds back everything that does not belong to the open tool call until that call ends. One per stream. */
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
    // Usage may come at any place, and errors must not wait.
    if (event.type === 'usage' || event.type === 'error') return [event]
    if (event.type === 'finish') return [...release(), event]
    held.add(event)
    return []
  }
}

interface Held {
  event: ChatEvent
  /** For the start of a tool call: its events since then. */
  own: ChatEvent[]
  hasEnded: boolean
}

/** Handles each event once when it arrives and once when it leaves, however many calls are mixed. */
class HeldEvents {
  #waiting: Held[] = []
  /** How many events have left. */
  #gone = 0
  /** Calls that have begun and not ended, by index. */
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

  /** The events in order, each call complete, up to the first call that has not ended. */
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
