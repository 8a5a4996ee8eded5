import type { TokenIdentity } from '../../contract/services.ts'
import type { ChannelIndex } from '../../channels/routing/channel-index.ts'
import type { RoutedChannel } from '../../channels/routing/routed-channel.ts'
import type { AdmitDeps } from '../call/relay-deps.ts'
import type { ReadCall, RelayCall, RelayCaller } from '../call/relay-call.ts'
import { relayErrors } from '../call/relay-errors.ts'

/** The group whose channels and price apply to a token's call.
 *  @throws relay.group_not_allowed */
export function groupOf(identity: TokenIdentity, deps: AdmitDeps, model: string): string {
  const wanted = identity.tokenGroup
  if (wanted === '') return identity.userGroup
  if (wanted === 'auto') {
    const candidates = automaticGroups(identity, deps)
    return (
      candidates.find((group) => deps.index().serves(group, model)) ??
      candidates[0] ??
      identity.userGroup
    )
  }
  const usable = deps.pricing.usableGroups(identity.userGroup)
  if (!usable.some((entry) => entry.name === wanted))
    throw relayErrors.groupRefused({ group: wanted })
  return wanted
}

/** Among which the group of each call is chosen, in this order: those that the user may use. */
export function automaticGroups({ userGroup }: TokenIdentity, deps: AdmitDeps): string[] {
  const usable = new Set(deps.pricing.usableGroups(userGroup).map(({ name }) => name))
  return deps.options.get<string[]>('AutoGroups').filter((group) => usable.has(group))
}

/** Whether the key may use the model, and the channel that it pins, or any of the group, can serve it.
 *  @returns the pinned channel
 *  @throws relay.model_not_allowed, relay.model_not_found, relay.no_available_channel, relay.invalid_channel */
export function checkModel(
  { requestedModel: model }: Pick<ReadCall, 'requestedModel'>,
  { identity, pinnedChannel: id }: RelayCaller,
  group: string,
  deps: Pick<AdmitDeps, 'index'>,
): RoutedChannel | undefined {
  const index = deps.index()
  const pinned = id === undefined ? undefined : pinnedChannel(id, index)
  if (identity.models && !identity.models.has(model)) throw relayErrors.modelRefused({ model })
  if (pinned || index.serves(group, model)) return pinned
  if (!index.hasModel(model))
    throw relayErrors.modelUnknown({ model: model.slice(0, 200) }, { field: 'model' })
  throw relayErrors.noChannel({ model, group })
}

function pinnedChannel(id: number, index: ChannelIndex): RoutedChannel {
  const channel = index.find(id)
  if (!channel) throw relayErrors.pinUnknown({ id })
  if (!channel.isEnabled) throw relayErrors.pinDisabled({ id })
  return channel
}

/** The channel of the stored response that a call continues; `free` if there is none, or if that channel can no longer serve the call. */
export function boundChannel(
  { bound, group, requestedModel }: Pick<RelayCall, 'bound' | 'group' | 'requestedModel'>,
  deps: Pick<AdmitDeps, 'index'>,
): RoutedChannel | 'free' | undefined {
  const channel = bound && deps.index().find(bound.channelId)
  if (!channel?.view.models.includes(requestedModel)) return 'free'
  return channel.isEnabled && channel.groups.includes(group) ? channel : undefined
}
