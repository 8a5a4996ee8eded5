import { changedRoute, Tier, type Route } from './route.ts'
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
  /** Takes one of the channels of a priority; asked before `prefer`, and again for each other try. Undefined leaves it to the weights. */
  choose?: ((channels: readonly RoutedChannel[]) => RoutedChannel | undefined) | undefined
}

/** What became of some channels: those that are new or different, and the ids of those that are gone. */
export interface ChannelChanges {
  put: readonly RoutedChannel[]
  removed: readonly number[]
}

/** Group -> model -> the channels that serve it. */
type Routes = ReadonlyMap<string, ReadonlyMap<string, Route>>

interface Contents {
  byId: ReadonlyMap<number, RoutedChannel>
  routes: Routes
  /** How many channels, enabled or not, list a model. */
  listings: ReadonlyMap<string, number>
}

const gizmoFamilies = ['gpt-4-gizmo', 'gpt-4o-gizmo']
const none: ReadonlySet<number> = new Set()
const empty: Contents = { byId: new Map(), routes: new Map(), listings: new Map() }

/**
 * Which channel serves a call: group -> model -> priority tiers. Immutable; a change of some channels makes a new index that
 * shares with the old one whatever they do not touch, so that it costs their size and not that of all.
 */
export class ChannelIndex {
  readonly #contents: Contents
  readonly #random: () => number
  #groupsOfModels: ReadonlyMap<string, string[]> | undefined

  constructor(contents: Contents = empty, random: () => number = Math.random) {
    this.#contents = contents
    this.#random = random
  }

  static of(channels: readonly RoutedChannel[], random: () => number = Math.random): ChannelIndex {
    return new ChannelIndex(empty, random).with({ put: channels, removed: [] })
  }

  with({ put, removed }: ChannelChanges): ChannelIndex {
    const byId = new Map(this.#contents.byId)
    const listings = new Map(this.#contents.listings)
    const touched = new TouchedRoutes()
    const drop = (id: number) => {
      const channel = byId.get(id)
      if (channel === undefined) return
      touched.note(channel, 'gone')
      for (const model of channel.view.models) count(listings, model, -1)
    }
    for (const id of removed) {
      drop(id)
      byId.delete(id)
    }
    for (const channel of put) {
      drop(channel.id)
      byId.set(channel.id, channel)
      touched.note(channel, 'come')
      for (const model of channel.view.models) count(listings, model, 1)
    }
    const routes = touched.applied(this.#contents.routes)
    return new ChannelIndex({ byId, routes, listings }, this.#random)
  }

  /** Any channel by its id, enabled or not. */
  find(id: number): RoutedChannel | undefined {
    return this.#contents.byId.get(id)
  }

  all(): Iterable<RoutedChannel> {
    return this.#contents.byId.values()
  }

  /** Whether any channel, enabled or not, lists the model. */
  hasModel(model: string): boolean {
    return this.#contents.listings.has(routedName(model))
  }

  /** Whether an enabled channel serves the model for the group. */
  serves(group: string, model: string): boolean {
    return this.#route(group, model) !== undefined
  }

  /** The models that enabled channels serve for any of the groups, each with the first of these channels. */
  modelsOf(groups: readonly string[]): Map<string, RoutedChannel> {
    const found = new Map<string, RoutedChannel>()
    for (const group of groups) {
      for (const [model, route] of this.#contents.routes.get(group) ?? []) {
        const first = route.first()
        const known = found.get(model)
        if (first && (known === undefined || first.id < known.id)) found.set(model, first)
      }
    }
    return found
  }

  /** Each model that an enabled channel serves with the groups that have one, all in the order of their names. */
  groupsOfModels(): ReadonlyMap<string, readonly string[]> {
    return (this.#groupsOfModels ??= invert(this.#contents.routes))
  }

  select(query: ChannelQuery): RoutedChannel | 'none' {
    const route = this.#route(query.group, query.model)
    if (route === undefined) return 'none'
    const tiers = route.tiersFor(query.promptTokens ?? 0)
    const start = Math.min(query.attempt, tiers.length - 1)
    const first = tiers[start]
    if (first === undefined) return 'none'
    const tried = triedIds(query.tried)
    if (tried.size === 0)
      return chosen(first, query) ?? preferred(first, query) ?? first.draw(this.#random) ?? 'none'
    for (const tier of tiers.slice(start)) {
      const fresh = tier.channels.filter((channel) => !tried.has(channel.id))
      if (fresh.length === 0) continue
      const rest = new Tier(tier.priority, fresh)
      return chosen(rest, query) ?? rest.draw(this.#random) ?? 'none'
    }
    return first.draw(this.#random) ?? 'none'
  }

  #route(group: string, model: string): Route | undefined {
    return this.#contents.routes.get(group)?.get(routedName(model))
  }
}

interface RouteChange {
  gone: Set<number> | undefined
  come: RoutedChannel[]
}

const newChange = (): RouteChange => ({ gone: undefined, come: [] })

/** Which channels leave and join each route. */
class TouchedRoutes {
  readonly #byGroup = new Map<string, Map<string, RouteChange>>()

  /** A channel that is off, or that no adapter serves, is in no route. */
  note(channel: RoutedChannel, side: 'gone' | 'come'): void {
    if (!channel.isEnabled || channel.adapter === undefined) return
    for (const group of new Set(channel.groups)) {
      const models = entry(this.#byGroup, group, () => new Map())
      for (const model of new Set(channel.view.models)) {
        const change = entry(models, model, newChange)
        if (side === 'come') change.come.push(channel)
        else change.gone = change.gone?.add(channel.id) ?? new Set([channel.id])
      }
    }
  }

  applied(before: Routes): Routes {
    const routes = new Map(before)
    for (const [group, changes] of this.#byGroup) {
      const models = new Map(before.get(group))
      for (const [model, { gone, come }] of changes) {
        if (come.length > 1) come.sort((left, right) => left.id - right.id)
        const route = changedRoute(models.get(model), gone ?? none, come)
        if (route) models.set(model, route)
        else models.delete(model)
      }
      if (models.size > 0) routes.set(group, models)
      else routes.delete(group)
    }
    return routes
  }
}

function chosen({ channels }: Tier, { choose }: ChannelQuery): RoutedChannel | undefined {
  return choose && channels.length > 1 ? choose(channels) : undefined
}

function preferred(tier: Tier, { prefer }: ChannelQuery): RoutedChannel | undefined {
  const id = prefer && tier.channels.length > 1 ? prefer() : undefined
  return id === undefined ? undefined : tier.find(id)
}

/** Custom GPTs have one name each; channels and prices know them by family. */
function routedName(model: string): string {
  if (!model.startsWith('gpt-4')) return model
  const family = gizmoFamilies.find((name) => model.startsWith(name))
  return family === undefined ? model : `${family}-*`
}

function invert(routes: Routes): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const group of [...routes.keys()].sort()) {
    for (const model of routes.get(group)?.keys() ?? []) entry(found, model, () => []).push(group)
  }
  return new Map([...found].sort(([left], [right]) => (left < right ? -1 : 1)))
}

function triedIds(tried: ChannelQuery['tried']): ReadonlySet<number> {
  if (tried === undefined) return none
  return tried instanceof Set ? tried : new Set(tried)
}

function count(counts: Map<string, number>, name: string, by: number): void {
  const next = (counts.get(name) ?? 0) + by
  if (next > 0) counts.set(name, next)
  else counts.delete(name)
}

function entry<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key)
  if (value === undefined) {
    value = make()
    map.set(key, value)
  }
  return value
}
