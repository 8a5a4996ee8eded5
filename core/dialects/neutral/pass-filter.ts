import type { PassFilter, SseEvent } from '../../contract/dialect.ts'
import type { ChatEvent, Usage } from '../../contract/neutral.ts'

/** A filter that never lets an upstream's error through: the relay masks it and writes it in its own words. */
export function passFilterOf(
  pass: (event: SseEvent) => string | undefined,
  end: (counted?: Usage) => string,
): PassFilter {
  const filter = (event: SseEvent, events: readonly ChatEvent[]) =>
    events.some(isError) ? undefined : pass(event)
  return Object.assign(filter, { end })
}

function isError(event: ChatEvent): boolean {
  return event.type === 'error'
}
