// Asks the routing policies of plugins to choose among the channels of one priority.
import type { RoutedChannel } from '../../channels/routing/routed-channel.ts'
import type { RouteCandidate, RouteChoice, RoutingPolicy } from '../../contract/relay-points.ts'
import type { RelayCall } from '../call/relay-call.ts'
import type { SelectDeps } from '../call/relay-deps.ts'
import { logFault, viewOf } from '../hooks/run-hooks.ts'

export type Chooser = (channels: readonly RoutedChannel[]) => RoutedChannel | undefined

/** Undefined if no policy handles the call. */
export function chooserOf(call: RelayCall, deps: SelectDeps): Chooser | undefined {
  const view = viewOf(call)
  const policies = deps.routingPolicies().filter((policy) => policy.applies(view))
  if (policies.length === 0) return undefined
  return (channels) => {
    const candidates = channels.map((channel) => candidateOf(channel, deps))
    for (const policy of policies) {
      const chosen = chosenBy(policy, call, candidates, deps)
      const channel = chosen === undefined ? undefined : channels.find(({ id }) => id === chosen)
      if (channel) return channel
    }
    return undefined
  }
}

function chosenBy(
  policy: RoutingPolicy,
  call: RelayCall,
  candidates: readonly RouteCandidate[],
  deps: SelectDeps,
): number | undefined {
  try {
    const choice = policy.choose(viewOf(call), candidates)
    return choice && idOf(choice, candidates)
  } catch (error) {
    logFault(policy, error, call, deps)
    return undefined
  }
}

/** @throws TypeError if the policy returned something that is not a choice */
function idOf(choice: RouteChoice, candidates: readonly RouteCandidate[]): number | undefined {
  const isThere = (id: number) => candidates.some((candidate) => candidate.id === id)
  if ('order' in choice) return choice.order.find(isThere)
  const weights = candidates.map(({ id }) => weightOf(choice.weights.get(id)))
  const point = Math.random() * weights.reduce((sum, weight) => sum + weight, 0)
  let sum = 0
  return candidates.find((_candidate, index) => (sum += weights[index] ?? 0) > point)?.id
}

function weightOf(weight = 0): number {
  if (!Number.isFinite(weight) || weight < 0) throw new TypeError('a weight is no number from 0')
  return weight
}

function candidateOf(channel: RoutedChannel, { figuresOf }: SelectDeps): RouteCandidate {
  const { id, type, name, weight, priority } = channel
  return { id, type, name, weight, priority, ...figuresOf(id) }
}
