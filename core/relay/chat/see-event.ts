import { UpstreamError } from '../../contract/errors.ts'
import type { ChatEvent } from '../../contract/neutral.ts'
import { promptBlocked } from '../../upstream-failures/client-error.ts'
import type { RelayCall } from '../call/relay-call.ts'
import type { UsageTally } from '../charge/usage-tally.ts'

export interface Watched {
  call: RelayCall
  tally: UsageTally
  /** Called with every event, e.g. by the memory of sealed reasoning. */
  watch?: ((event: ChatEvent) => void) | undefined
}

/** Counts an event of the answer, in whatever form it is passed on. @throws UpstreamError if the event is an error */
export function seeEvent({ call, tally, watch }: Watched, event: ChatEvent): void {
  if (event.type === 'error') throw new UpstreamError(event.failure)
  if (event.type === 'blocked' && call.dialect === 'openai-chat')
    throw new UpstreamError(promptBlocked(event.reason), 'content')
  tally.see(event)
  call.record?.see(event)
  watch?.(event)
}
