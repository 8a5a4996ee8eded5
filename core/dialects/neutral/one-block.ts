// The Anthropic, Responses and Gemini streams have one open block; chat upstreams may mix the deltas of several tool calls.
import type { ChatEvent } from '../../contract/neutral.ts'

type Orderer = (event: ChatEvent) => ChatEvent[]

/** Holds back what does not belong to the open tool call until that call ends. One per stream. */
export function oneBlockAtATime(): Orderer {
  let open: number | undefined
  let held: ChatEvent[] = []

  const release = (): ChatEvent[] => {
    const waiting = held
    held = []
    return waiting.flatMap(order)
  }

  const order: Orderer = (event) => {
    if (open === undefined) {
      if (event.type === 'tool_start') open = event.index
      return [event]
    }
    if (isOfCall(event, open)) {
      if (event.type !== 'tool_end') return [event]
      open = undefined
      return [event, ...release()]
    }
    // Usage has no place in the order, and errors wait for nobody.
    if (event.type === 'usage' || event.type === 'error') return [event]
    if (event.type === 'finish') {
      open = undefined
      return [...release(), event]
    }
    held.push(event)
    return []
  }
  return order
}

function isOfCall(event: ChatEvent, index: number): boolean {
  return (event.type === 'tool_args' || event.type === 'tool_end') && event.index === index
}
