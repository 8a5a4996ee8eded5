import { changedRoute, type Route } from './route.ts'
import { isRouted, type RoutedChannel } from './routed-channel.ts'

/** Changes to channels: those that are new or different, and the ids of those that were removed. */
export interface ChannelChanges {
  put: readonly RoutedChannel[]
  removed: readonly number[]
}

/** Group -> model -> the channels that serve it. */
export type Routes = ReadonlyMap<string, ReadonlyMap<string, Route>>

export interface Contents {
  byId: ReadonlyMap<number, RoutedChannel>
  routes: Routes
  /** How many channels, enabled or not, list a model. */
  listings: ReadonlyMap<string, number>
  /** Model -> the groups for which an enabled channel serves it, sorted. */
  offers: ReadonlyMap<string, readonly string[]>
}

export const empty: Contents = {
  byId: new Map(),
  routes: new Map(),
  listings: new Map(),
  offers: new Map(),
}

/** The groups that a model comes to or leaves. */
interface Moved {
  come: string[]
  gone: string[]
}

/** Builds the contents of the next index. Everything that the changes do not affect is shared with the previous one.
 *  Each route is built once, however many channels join it, and however many models and groups have the same one. */
export class IndexDraft {
  readonly #byId: Map<number, RoutedChannel>
  readonly #listings: Map<string, number>
  readonly #before: Routes
  readonly #routes: Map<string, ReadonlyMap<string, Route>>
  /** Channels to take out of their previous routes; those in `put` are added again. */
  readonly #changed = new Set<number>()
  readonly #touched = new TouchedRoutes()
  readonly #made = new Map<Route | undefined, Map<string, Route | undefined>>()
  readonly #moved = new Map<string, Moved>()
  #offers: Contents['offers']

  constructor({ byId, listings, routes, offers }: Contents) {
    this.#byId = new Map(byId)
    this.#listings = new Map(listings)
    this.#before = routes
    this.#routes = new Map(routes)
    this.#offers = offers
  }

  /** Works in small steps; the caller must run all of them. */
  *take({ put, removed }: ChannelChanges): Generator<void> {
    for (const id of removed) {
      yield* this.#drop(id)
      this.#byId.delete(id)
      yield
    }
    for (const channel of put) {
      yield* this.#drop(channel.id)
      this.#byId.set(channel.id, channel)
      for (const routes of this.#touched.routesOf(channel)) {
        for (const come of routes) come.push(channel)
        yield
      }
      for (const model of channel.view.models) count(this.#listings, model, 1)
      yield
    }
    yield* this.#route()
    yield* this.#offer()
  }

  get contents(): Contents {
    return {
      byId: this.#byId,
      routes: this.#routes,
      listings: this.#listings,
      offers: this.#offers,
    }
  }

  *#drop(id: number): Generator<void> {
    this.#changed.add(id)
    const channel = this.#byId.get(id)
    if (channel === undefined) return
    for (const _routes of this.#touched.routesOf(channel)) yield
    for (const model of channel.view.models) count(this.#listings, model, -1)
  }

  *#route(): Generator<void> {
    for (const [group, changes] of this.#touched.byGroup) {
      const models = new Map(this.#before.get(group))
      for (const [model, come] of changes) {
        if (come.length > 1) come.sort((left, right) => left.id - right.id)
        const before = models.get(model)
        const route = this.#routeAfter(before, come)
        if ((route === undefined) !== (before === undefined))
          entry(this.#moved, model, nowhere)[route ? 'come' : 'gone'].push(group)
        if (route) models.set(model, route)
        else models.delete(model)
        yield
      }
      if (models.size > 0) this.#routes.set(group, models)
      else this.#routes.delete(group)
    }
  }

  #routeAfter(before: Route | undefined, come: readonly RoutedChannel[]): Route | undefined {
    const made = entry(this.#made, before, () => new Map<string, Route | undefined>())
    const joining = come.length === 1 ? String(come[0]?.id) : come.map(({ id }) => id).join()
    if (!made.has(joining)) made.set(joining, changedRoute(before, this.#changed, come))
    return made.get(joining)
  }

  /** Only models that a group gained or lost have a new list: all of them at once may be millions of routes. */
  *#offer(): Generator<void> {
    if (this.#moved.size === 0) return
    const offers = new Map(this.#offers)
    for (const [model, { come, gone }] of this.#moved) {
      const left = new Set(gone)
      const kept = (offers.get(model) ?? []).filter((group) => !left.has(group))
      const groups = [...kept, ...come].sort()
      if (groups.length > 0) offers.set(model, groups)
      else offers.delete(model)
      yield
    }
    this.#offers = offers
  }
}

const nowhere = (): Moved => ({ come: [], gone: [] })

/** The routes that channels leave or join, with the channels that join. */
class TouchedRoutes {
  readonly byGroup = new Map<string, Map<string, RoutedChannel[]>>();

  /** The routes of one group after another: ten thousand models in two hundred groups are two million. */
  *routesOf(channel: RoutedChannel): Generator<RoutedChannel[][]> {
    if (!isRouted(channel)) return
    for (const group of channel.groups) {
      const models = entry(this.byGroup, group, () => new Map<string, RoutedChannel[]>())
      yield channel.view.models.map((model) => entry(models, model, () => []))
    }
  }
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
