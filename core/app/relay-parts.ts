// What the relay of a generation works with: the long-lived services and the hooks of that generation.
import type { Contributions } from '../kernel/contributions.ts'
import type { HostInput } from './host.ts'
import { AdapterCaches } from '../relay/call/adapter-cache.ts'
import type { RelayDeps } from '../relay/call/relay-deps.ts'
import type { RelayRouteDeps } from '../relay/routes/route-deps.ts'
import { ReasoningCache } from '../relay/call/reasoning-cache.ts'

const stages = ['relay.admit', 'relay.send', 'relay.answer'] as const

/** The relay's own state that outlives generations. */
export interface RelayMemory {
  caches: AdapterCaches
  memory: ReasoningCache
}

export function createRelayMemory(): RelayMemory {
  return { caches: new AdapterCaches(), memory: new ReasoningCache() }
}

/** Without hooks and limits: enough for channel tests. */
export function relayDepsOf(
  { services, settings, log }: HostInput,
  memory: RelayMemory,
): RelayDeps {
  const { channels, tokens, pricing, ledger, logs, options, events, http } = services
  const { affinity, recentCosts, responses, realtime, openCalls, secrets } = services
  return {
    index: () => channels.index(),
    health: channels.health,
    tokens,
    pricing,
    ledger,
    logs,
    options,
    events,
    http,
    hopId: secrets.lookup('hop', 'installation').slice(0, 32),
    log,
    settings: settings.relay,
    readVariable: (name) => settings.readVariable(name),
    ...memory,
    affinity,
    recentCosts,
    responses,
    realtime,
    openCalls,
    hooks: () => [],
    rateLimiters: () => [],
    countFields: [],
  }
}

export function relayRouteDeps(
  input: HostInput,
  memory: RelayMemory,
  contributions: Contributions,
): RelayRouteDeps {
  const { accounts, tokens } = input.services
  const { adapterList } = contributions
  const hooks = new Map(
    stages.map((stage) => [
      stage,
      contributions.relayHooks.list().filter((hook) => hook.stage === stage),
    ]),
  )
  const limiters = contributions.rateLimiters.list()
  return {
    ...relayDepsOf(input, memory),
    hooks: (stage) => hooks.get(stage) ?? [],
    rateLimiters: () => limiters,
    countFields: [...new Set(adapterList.flatMap(({ countFields = [] }) => countFields))],
    owner: (id) => accounts.find(id),
    acceptsUnset: async (id) =>
      (await accounts.settingOf(id)).accept_unset_model_ratio_model === true,
    token: (userId, id) => tokens.find(userId, id).catch(() => undefined),
  }
}
