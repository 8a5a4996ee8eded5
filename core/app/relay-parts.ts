// Puts together what the relay of a generation works with: the long-lived services and the hooks of the generation.
import type { Contributions } from '../kernel/contributions.ts'
import type { ContributionRegistry } from '../kernel/registry.ts'
import type { HookOf, RelayHook } from '../contract/relay.ts'
import type { BodyIntake } from '../http/bodies/body-intake.ts'
import type { HostInput } from './host.ts'
import { AdapterCaches } from '../relay/attempt/adapter-cache.ts'
import type { ProbeDeps } from '../relay/probe.ts'
import type { RelayRouteDeps } from '../relay/routes/route-deps.ts'
import { SealedReasoning } from '../relay/conversation/sealed-reasoning.ts'
import { UnsealedReasoning } from '../relay/conversation/unsealed-reasoning.ts'

/** The relay's own state that outlives generations. */
export interface RelayMemory {
  caches: AdapterCaches
  sealedReasoning: SealedReasoning
  unsealedReasoning: UnsealedReasoning
}

export function createRelayMemory(): RelayMemory {
  return {
    caches: new AdapterCaches(),
    sealedReasoning: new SealedReasoning(),
    unsealedReasoning: new UnsealedReasoning(),
  }
}

/** The services that send an attempt; channel tests need no others. */
export function probeDeps({ services, settings, log }: HostInput, memory: RelayMemory): ProbeDeps {
  const { answers, http, options, responses, secrets } = services
  return {
    answers,
    http,
    log,
    options,
    responses,
    settings: settings.relay,
    readVariable: (name) => settings.readVariable(name),
    hopId: secrets.lookup('hop', 'installation').slice(0, 32),
    ...memory,
  }
}

export function relayRouteDeps(
  input: HostInput,
  { relay: memory, intake }: { relay: RelayMemory; intake: BodyIntake },
  contributions: Contributions,
): RelayRouteDeps {
  const { channels, accounts, tokens, pricing, ledger, logs, events } = input.services
  const { affinity, recentCosts, openCalls, traces, items, background } = input.services
  const { realtime, responseSockets, turns, loopback } = input.services
  return {
    ...probeDeps(input, memory),
    ...contributed(contributions),
    items,
    background,
    index: () => channels.index(),
    figuresOf: (id) => channels.routeFigures(id),
    health: channels.health,
    tokens,
    pricing,
    ledger,
    sessionCharges: ledger.sessions,
    keptCharges: ledger.kept,
    logs,
    events,
    affinity,
    recentCosts,
    realtime,
    responseSockets,
    turns,
    loopback,
    intake,
    openCalls,
    traces,
    owner: (id) => accounts.find(id),
    acceptsUnset: async (id) =>
      (await accounts.settingOf(id)).accept_unset_model_ratio_model === true,
    token: (userId, id) => tokens.find(userId, id).catch(() => undefined),
  }
}

const none: readonly RelayHook[] = []

type Contributed = Pick<
  RelayRouteDeps,
  'hooks' | 'responseCaches' | 'routingPolicies' | 'rateLimiters' | 'countFields'
>

/** Sorted by `order`, and by the ids of their plugins where it is equal. */
function inOrder<T extends { id: string; order?: number }>(
  registry: Pick<ContributionRegistry<T>, 'owned'>,
): T[] {
  const orderOf = ({ entry }: { entry: T }) => entry.order ?? 50
  return registry
    .owned()
    .toSorted(
      (one, other) =>
        orderOf(one) - orderOf(other) ||
        Number(one.owner > other.owner) - Number(one.owner < other.owner),
    )
    .map(({ entry }) => entry)
}

/** The contributions of the plugins and adapters of a generation, looked up once. */
function contributed({
  adapterList,
  relayHooks,
  responseCaches,
  routingPolicies,
  rateLimiters,
}: Contributions): Contributed {
  const hooks = Map.groupBy(inOrder(relayHooks), ({ stage }) => stage)
  const caches = inOrder(responseCaches)
  const policies = inOrder(routingPolicies)
  const limiters = rateLimiters.list()
  return {
    hooks: <S extends RelayHook['stage']>(stage: S) => (hooks.get(stage) ?? none) as HookOf<S>[],
    responseCaches: () => caches,
    routingPolicies: () => policies,
    rateLimiters: () => limiters,
    countFields: [...new Set(adapterList.flatMap(({ countFields = [] }) => countFields))],
  }
}
