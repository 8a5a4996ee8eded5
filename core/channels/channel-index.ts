import type { RoutedChannel } from './routed-channel.ts'

export interface ChannelQuery {
  group: string
  model: string
  /** From 0; attempt n looks at the n-th highest priority, the lowest when there are fewer. */
  attempt: number
  /** Ids that this request has tried already: skipped while others remain. */
  tried?: readonly number[] | ReadonlySet<number>
  /** Counted prompt; channels with a smaller `max_input_tokens` are skipped. */
  promptTokens?: number
  /** A channel to take if it is among equals; asked only when there is a choice. */
  prefer?: (() => number | undefined) | undefined
}

interface Tier {
  readonly priority: number
  readonly channels: readonly RoutedChannel[]
}

interface Route {
  /** Highest priority first. */
  readonly tiers: readonly Tier[]
  /** Whether any channel refuses long prompts. */
  readonly hasSizeLimits: boolean
}

/** Weight 0 still gets traffic, and small weights are evened out. */
const weightFloor = 10
const gizmoFamilies = ['gpt-4-gizmo', 'gpt-4o-gizmo']
const nothingTried: ReadonlySet<number> = new Set()

/** Which channel serves a call: group -> model -> priority tiers. Immutable; a change of any channel makes a new index. */
export class ChannelIndex {
  readonly #byId: ReadonlyMap<number, RoutedChannel>
  readonly #routes: ReadonlyMap<string, ReadonlyMap<string, Route>>
  readonly #listedModels: ReadonlySet<string>
  readonly #random: () => number

  constructor(channels: readonly RoutedChannel[], random: () => number = Math.random) {
    this.#byId = new Map(channels.map((channel) => [channel.id, channel]))
    this.#routes = buildRoutes(channels)
    this.#listedModels = new Set(channels.flatMap((channel) => channel.view.models))
    this.#random = random
  }

  /** Any channel by its id, enabled or not. */
  find(id: number): RoutedChannel | undefined {
    return this.#byId.get(id)
  }

  all(): Iterable<RoutedChannel> {
    return this.#byId.values()
  }

  /** Whether any channel, enabled or not, lists the model. */
  hasModel(model: string): boolean {
    return this.#listedModels.has(routedName(model))
  }

  /** Whether an enabled channel serves the model for the group. */
  serves(group: string, model: string): boolean {
    return this.#route(group, model) !== undefined
  }

  select(query: ChannelQuery): RoutedChannel | 'none' {
    const route = this.#route(query.group, query.model)
    if (route === undefined) return 'none'
    const tiers = tiersFor(route, query.promptTokens ?? 0)
    const start = Math.min(query.attempt, tiers.length - 1)
    const first = tiers[start]
    if (first === undefined) return 'none'
    const tried = triedIds(query.tried)
    if (tried.size === 0) return preferred(first.channels, query) ?? this.#pick(first.channels)
    for (const tier of tiers.slice(start)) {
      const fresh = tier.channels.filter((channel) => !tried.has(channel.id))
      if (fresh.length > 0) return this.#pick(fresh)
    }
    return this.#pick(first.channels)
  }

  #route(group: string, model: string): Route | undefined {
    return this.#routes.get(group)?.get(routedName(model))
  }

  #pick(channels: readonly RoutedChannel[]): RoutedChannel | 'none' {
    if (channels.length === 1) return channels[0] ?? 'none'
    let total = 0
    for (const channel of channels) total += channel.weight + weightFloor
    let rest = this.#random() * total
    for (const channel of channels) {
      rest -= channel.weight + weightFloor
      if (rest < 0) return channel
    }
    return channels.at(-1) ?? 'none'
  }
}

function preferred(
  channels: readonly RoutedChannel[],
  { prefer }: ChannelQuery,
): RoutedChannel | undefined {
  const id = prefer && channels.length > 1 ? prefer() : undefined
  return id === undefined ? undefined : channels.find((channel) => channel.id === id)
}

/** Custom GPTs have one name each; channels and prices know them by family. */
function routedName(model: string): string {
  if (!model.startsWith('gpt-4')) return model
  const family = gizmoFamilies.find((name) => model.startsWith(name))
  return family === undefined ? model : `${family}-*`
}

function buildRoutes(channels: readonly RoutedChannel[]) {
  const routes = new Map<string, Map<string, RoutedChannel[]>>()
  for (const channel of channels) {
    if (!channel.isEnabled || channel.adapter === undefined) continue
    for (const group of channel.groups) {
      const models = entry(routes, group, () => new Map<string, RoutedChannel[]>())
      for (const model of channel.view.models) entry(models, model, () => []).push(channel)
    }
  }
  return new Map(
    [...routes].map(([group, models]) => [
      group,
      new Map([...models].map(([model, served]) => [model, routeOf(served)])),
    ]),
  )
}

function routeOf(channels: readonly RoutedChannel[]): Route {
  const byPriority = new Map<number, RoutedChannel[]>()
  for (const channel of channels) entry(byPriority, channel.priority, () => []).push(channel)
  const tiers = [...byPriority]
    .map(([priority, members]) => ({ priority, channels: members }))
    .sort((a, b) => b.priority - a.priority)
  return { tiers, hasSizeLimits: channels.some((channel) => channel.maxInputTokens > 0) }
}

/** The tiers without the channels that the prompt is too long for. */
function tiersFor(route: Route, promptTokens: number): readonly Tier[] {
  if (!route.hasSizeLimits) return route.tiers
  const fits = (channel: RoutedChannel) =>
    channel.maxInputTokens === 0 || promptTokens <= channel.maxInputTokens
  return route.tiers
    .map((tier) => ({ priority: tier.priority, channels: tier.channels.filter(fits) }))
    .filter((tier) => tier.channels.length > 0)
}

function triedIds(tried: ChannelQuery['tried']): ReadonlySet<number> {
  if (tried === undefined) return nothingTried
  return tried instanceof Set ? tried : new Set(tried)
}

function entry<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key)
  if (value === undefined) {
    value = make()
    map.set(key, value)
  }
  return value
}
