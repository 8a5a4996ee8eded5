import type { PassFilter, SseEvent } from '../../contract/dialect.ts'
import type { ChatEvent, Usage } from '../../contract/neutral.ts'

/** A filter that withholds an upstream's error: the relay redacts it and writes it in its own form. */
export function passFilterOf(
  pass: (event: SseEvent, events: readonly ChatEvent[]) => string | undefined,
  end: (counted?: Usage) => string,
): PassFilter {
  const filter = (event: SseEvent, events: readonly ChatEvent[]) =>
    events.some(isError) ? undefined : pass(event, events)
  return Object.assign(filter, { end })
}

function isError(event: ChatEvent): boolean {
  return event.type === 'error'
}
