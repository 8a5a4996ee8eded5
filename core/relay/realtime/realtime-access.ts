import type { Attempt } from '../attempt/attempt.ts'
import { groupOf } from '../intake/admit.ts'
import { authenticate } from '../intake/authenticate.ts'
import type { RelayCall } from '../call/relay-call.ts'
import type { AccessDeps, AdmitDeps } from '../call/relay-deps.ts'
import { relayErrors } from '../call/relay-errors.ts'
import type { SessionProtocol } from './protocols/session-protocol.ts'

/** Repeats the checks that let a session in: owner, token with its expiry, quota, address, group and model, and the
 *  channel. All from memory, which the cluster bus keeps current.
 *  @throws the relay errors of those checks */
export async function checkAccess(
  call: RelayCall,
  { attempt, protocol }: { attempt: Pick<Attempt, 'channel'>; protocol: SessionProtocol },
  deps: AdmitDeps & Pick<AccessDeps, 'tokens'>,
): Promise<void> {
  const { requestedModel: model, group } = call
  const { identity } = await authenticate(call.request, deps.tokens, protocol.keyPlaces)
  // The group behind `auto` was chosen at the start; the session may keep it as long as the token may use it.
  const groups =
    identity.tokenGroup === 'auto'
      ? [identity.userGroup, ...deps.pricing.usableGroups(identity.userGroup).map(nameOf)]
      : [groupOf(identity, deps, model)]
  if (!groups.includes(group)) throw relayErrors.groupRefused({ group })
  if (identity.models && !identity.models.has(model)) throw relayErrors.modelRefused({ model })
  const channel = deps.index().find(attempt.channel.id)
  if (!channel?.isEnabled) throw relayErrors.noChannel({ model, group })
  if (call.pinnedChannel !== undefined) return
  if (!channel.groups.includes(group) || !channel.view.models.includes(model))
    throw relayErrors.noChannel({ model, group })
}

function nameOf({ name }: { name: string }): string {
  return name
}
