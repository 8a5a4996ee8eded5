import { byName } from '../../contract/natural-order.ts'
import { inSlices } from '../../kernel/in-slices.ts'
import { type ChannelChanges, type Contents, empty, IndexDraft } from './index-draft.ts'
import { Tier, type Route } from './route.ts'
import { isRouted, type RoutedChannel } from './routed-channel.ts'

export interface ChannelQuery {
  group: string
  model: string
  /** Counted from 0. Attempt n chooses in the n-th highest priority, or the lowest if there are fewer. */
  attempt: number
  /** The channels that this request has already tried; skipped while others remain, at that or a lower priority first,
   *  then at a higher one. */
  tried?: readonly number[] | ReadonlySet<number>
  /** Those of the tried ones that are not repeated. */
  spent?: readonly number[]
  /** Estimated tokens of the prompt; channels with a smaller `max_input_tokens` are skipped. */
  promptTokens?: number
  /** The channel to prefer among those of equal priority; called only if there is a choice. */
  prefer?: (() => number | undefined) | undefined
  /** Chooses among the channels of a priority; called before `prefer`, and again for each retry. Undefined leaves the
   *  choice to the weights. */
  choose?: ((channels: readonly RoutedChannel[]) => RoutedChannel | undefined) | undefined
}

const gizmoFamilies = ['gpt-4-gizmo', 'gpt-4o-gizmo']
const none: ReadonlySet<number> = new Set()
/** From this many channels in one priority on, a retry draws anew instead of listing the rest (see `drawnFresh`). */
const MANY_CHANNELS = 64
const MOST_DRAWS = 8
/** Of how many sets of groups an index remembers the models. */
const MOST_SETS_KEPT = 20

/** Which channel serves a call: group -> model -> priority tiers. Immutable: a change creates a new index that shares
 *  all unaffected parts with the old one, so that its cost depends on the size of the change, not of the index. */
export class ChannelIndex {
  readonly #contents: Contents
  readonly #random: () => number
  #groupsOfModels: Contents['offers'] | undefined
  #models: readonly string[] | undefined
  readonly #modelsOfGroups = new Map<string, ReadonlyMap<string, RoutedChannel>>()
  /** The models of an earlier index in their order: most of them are still there. */
  #modelsBefore: readonly string[] = []

  constructor(contents: Contents = empty, random: () => number = Math.random) {
    this.#contents = contents
    this.#random = random
  }

  static of(channels: readonly RoutedChannel[], random: () => number = Math.random): ChannelIndex {
    return new ChannelIndex(empty, random).with({ put: channels, removed: [] })
  }

  with(changes: ChannelChanges): ChannelIndex {
    const draft = new IndexDraft(this.#contents)
    for (const _step of draft.take(changes));
    return this.#after(draft)
  }

  /** The same for many channels, in slices that let other work run in between. */
  async withMany(changes: ChannelChanges): Promise<ChannelIndex> {
    const draft = new IndexDraft(this.#contents)
    await inSlices(draft.take(changes))
    return this.#after(draft)
  }

  #after(draft: IndexDraft): ChannelIndex {
    const { contents } = draft
    const index = new ChannelIndex(contents, this.#random)
    if (contents.offers === this.#contents.offers) {
      index.#groupsOfModels = this.#groupsOfModels
      index.#models = this.#models
    }
    index.#modelsBefore = this.#models ?? this.#modelsBefore
    return index
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

  /** Estimated tokens that a channel may add to the prompt of a chat. */
  instructionTokens(group: string, model: string): number {
    return this.#route(group, model)?.instructionTokens ?? 0
  }

  /** All models that enabled channels serve, in the order in which people look for a name. The same list is returned
   *  until something in it changes. */
  models(): readonly string[] {
    return (this.#models ??= inOrder(this.#contents.offers, this.#modelsBefore))
  }

  /** The models that enabled channels serve for any of the groups, each with the first such channel, in the order of
   *  `models`. Looked for once. */
  modelsOf(groups: readonly string[]): ReadonlyMap<string, RoutedChannel> {
    const key = JSON.stringify(groups)
    const kept = this.#modelsOfGroups.get(key)
    if (kept !== undefined) return kept
    if (this.#modelsOfGroups.size >= MOST_SETS_KEPT) this.#modelsOfGroups.clear()
    const found = this.#findModelsOf(groups)
    this.#modelsOfGroups.set(key, found)
    return found
  }

  /** Each model that an enabled channel serves, with the groups it is served for, sorted by name. The same map is
   *  returned until something in it changes. */
  groupsOfModels(): ReadonlyMap<string, readonly string[]> {
    return (this.#groupsOfModels ??= sortedByName(this.#contents.offers))
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
    const inTurn = [...tiers.slice(start), ...tiers.slice(0, start)]
    for (const tier of inTurn) {
      const drawn = query.choose ? undefined : drawnFresh(tier, tried, this.#random)
      if (drawn !== undefined) return drawn
      const fresh = tier.channels.filter((channel) => !tried.has(channel.id))
      if (fresh.length === 0) continue
      const rest = new Tier(tier.priority, fresh)
      return chosen(rest, query) ?? rest.draw(this.#random) ?? 'none'
    }
    return this.#repeated(inTurn, query.spent ?? []) ?? 'none'
  }

  #repeated(inTurn: readonly Tier[], spent: readonly number[]): RoutedChannel | undefined {
    for (const tier of inTurn) {
      const left = tier.channels.filter(({ id }) => !spent.includes(id))
      if (left.length > 0) return new Tier(tier.priority, left).draw(this.#random)
    }
    return undefined
  }

  #findModelsOf(groups: readonly string[]): Map<string, RoutedChannel> {
    const { routes, listings } = this.#contents
    const routesOfGroups = groups.flatMap((group) => routes.get(group) ?? [])
    if (routesOfGroups.length === 0) return new Map()
    const models = this.models()
    let listed = 0
    for (const channels of listings.values()) listed += channels
    const firstOf =
      listed < models.length * routesOfGroups.length
        ? firstChannels(this.all(), new Set(groups))
        : { get: (model: string) => firstIn(routesOfGroups, model) }
    const found = new Map<string, RoutedChannel>()
    for (const model of models) {
      const first = firstOf.get(model)
      if (first !== undefined) found.set(model, first)
    }
    return found
  }

  #route(group: string, model: string): Route | undefined {
    return this.#contents.routes.get(group)?.get(routedName(model))
  }
}

/** Of each model, from what the channels list: twenty thousand models of one channel in three hundred groups are six
 *  million routes, and twenty thousand entries here. */
function firstChannels(
  channels: Iterable<RoutedChannel>,
  groups: ReadonlySet<string>,
): Map<string, RoutedChannel> {
  const firsts = new Map<string, RoutedChannel>()
  for (const channel of channels) {
    if (!isRouted(channel) || !channel.groups.some((group) => groups.has(group))) continue
    for (const model of channel.view.models) {
      const first = firsts.get(model)
      if (first === undefined || channel.id < first.id) firsts.set(model, channel)
    }
  }
  return firsts
}

/** The same for one model, from its routes. */
function firstIn(
  routesOfGroups: readonly ReadonlyMap<string, Route>[],
  model: string,
): RoutedChannel | undefined {
  let first: RoutedChannel | undefined
  for (const routes of routesOfGroups) {
    const channel = routes.get(model)?.first()
    if (channel && (first === undefined || channel.id < first.id)) first = channel
  }
  return first
}

/** For tiers with many channels: draws again if the drawn channel was tried already. This gives the same chances as
 *  drawing from the rest, without building a list of thousands for each attempt. */
function drawnFresh(
  tier: Tier,
  tried: ReadonlySet<number>,
  random: () => number,
): RoutedChannel | undefined {
  if (tier.channels.length < MANY_CHANNELS) return undefined
  for (let draws = 0; draws < MOST_DRAWS; draws += 1) {
    const drawn = tier.draw(random)
    if (drawn !== undefined && !tried.has(drawn.id)) return drawn
  }
  return undefined
}

function chosen({ channels }: Tier, { choose }: ChannelQuery): RoutedChannel | undefined {
  return choose && channels.length > 1 ? choose(channels) : undefined
}

function preferred(tier: Tier, { prefer }: ChannelQuery): RoutedChannel | undefined {
  const id = prefer && tier.channels.length > 1 ? prefer() : undefined
  return id === undefined ? undefined : tier.find(id)
}

/** Custom GPTs have a name each; channels and prices name their family. */
function routedName(model: string): string {
  if (!model.startsWith('gpt-4')) return model
  const family = gizmoFamilies.find((name) => model.startsWith(name))
  return family === undefined ? model : `${family}-*`
}

function sortedByName(offers: Contents['offers']): Contents['offers'] {
  return new Map([...offers].sort(([left], [right]) => (left < right ? -1 : 1)))
}

/** Starts from the earlier order, because sorting 10 000 names from scratch in natural order takes 20 ms. */
function inOrder(served: ReadonlyMap<string, unknown>, before: readonly string[]): string[] {
  const kept = before.filter((model) => served.has(model))
  const known = new Set(kept)
  const added = [...served.keys()].filter((model) => !known.has(model))
  // Two names may be alike to people: `m-1` and `m-01`.
  return [...kept, ...added].sort((left, right) => byName(left, right) || (left < right ? -1 : 1))
}

function triedIds(tried: ChannelQuery['tried']): ReadonlySet<number> {
  if (tried === undefined) return none
  return tried instanceof Set ? tried : new Set(tried)
}
