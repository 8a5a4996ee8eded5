import { UpstreamError } from '../../contract/errors.ts'
import type { ChatEvent } from '../../contract/neutral.ts'
import { promptBlocked } from '../../failures/client-error.ts'
import type { RelayCall } from '../call/relay-call.ts'
import type { UsageTally } from '../charge/usage-tally.ts'

export interface Watched {
  call: RelayCall
  tally: UsageTally
  /** Told of every event, e.g. the memory of sealed reasoning. */
  watch?: ((event: ChatEvent) => void) | undefined
}

/** Counts an event of the answer, whatever form it goes on in. @throws UpstreamError when it says that there is none */
export function seeEvent({ call, tally, watch }: Watched, event: ChatEvent): void {
  if (event.type === 'error') throw new UpstreamError(event.failure)
  if (event.type === 'blocked' && call.dialect === 'openai-chat')
    throw new UpstreamError(promptBlocked(event.reason), 'content')
  tally.see(event)
  call.record?.see(event)
  watch?.(event)
}
