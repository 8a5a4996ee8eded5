import type { ChatEvent } from '../../contract/neutral.ts'
import type { Attempt } from '../attempt/attempt.ts'
import type { RelayCall } from '../call/relay-call.ts'
import type { ChatDeps } from '../call/relay-deps.ts'

/** Remembers who made a response that its upstream stores. Upstreams store every response unless told not to. */
export function trackResponse(
  call: RelayCall,
  { context }: Attempt,
  { responses }: Pick<ChatDeps, 'responses'>,
): ((event: ChatEvent) => void) | undefined {
  if (call.dialect !== 'openai-responses' || call.body?.['store'] === false) return undefined
  return (event) => {
    if (event.type !== 'start' || !event.id) return
    const { identity, requestedModel: model } = call
    responses.remember({ userId: identity.userId, id: event.id, channel: context.channel, model })
  }
}
