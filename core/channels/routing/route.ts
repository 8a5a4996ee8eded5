// The channels that serve one model for one group, by priority, prepared for drawing. Immutable.
import type { RoutedChannel } from './routed-channel.ts'

/** Added to each weight, so that weight 0 still gets traffic and small weights are evened out. */
const WEIGHT_FLOOR = 10
/** For how many prompt lengths a route caches the channels that fit. */
const MOST_SIZES_KEPT = 32

/** The channels of one priority, sorted by id. */
export class Tier {
  readonly priority: number
  readonly channels: readonly RoutedChannel[]
  #sums: readonly number[] | undefined

  constructor(priority: number, channels: readonly RoutedChannel[]) {
    this.priority = priority
    this.channels = channels
  }

  /** @param random returns a number from 0 to below 1 */
  draw(random: () => number): RoutedChannel | undefined {
    if (this.channels.length === 1) return this.channels[0]
    const sums = (this.#sums ??= weightSums(this.channels))
    const point = random() * (sums.at(-1) ?? 0)
    const position = firstWhere(sums.length, (at) => (sums[at] ?? 0) > point)
    return this.channels[position] ?? this.channels.at(-1)
  }

  find(id: number): RoutedChannel | undefined {
    const { channels } = this
    const found = channels[firstWhere(channels.length, (at) => (channels[at]?.id ?? 0) >= id)]
    return found?.id === id ? found : undefined
  }

  /** A copy without the channels in `gone` and with those in `come`, which are sorted by id. */
  changed(gone: ReadonlySet<number>, come: readonly RoutedChannel[]): Tier {
    const kept = without(this.channels, gone)
    const isSame = kept.length === this.channels.length && come.length === 0
    return isSame ? this : new Tier(this.priority, merged(kept, come))
  }
}

export class Route {
  /** Highest priority first; no tier is empty. */
  readonly tiers: readonly Tier[]
  #limits: readonly number[] | undefined
  #instructionTokens: number | undefined
  #fitting: Map<number, readonly Tier[]> | undefined

  constructor(tiers: readonly Tier[]) {
    this.tiers = tiers
  }

  /** The tiers without channels that accept only shorter prompts. */
  tiersFor(promptTokens: number): readonly Tier[] {
    const limits = (this.#limits ??= promptLimits(this.tiers))
    const passed = firstWhere(limits.length, (at) => (limits[at] ?? 0) >= promptTokens)
    if (passed === 0) return this.tiers
    this.#fitting ??= new Map()
    const known = this.#fitting.get(passed)
    if (known !== undefined) return known
    const least = limits[passed] ?? Number.POSITIVE_INFINITY
    const fitting = this.tiers.flatMap(({ priority, channels }) => {
      const fits = channels.filter((one) => !one.maxInputTokens || one.maxInputTokens >= least)
      return fits.length > 0 ? [new Tier(priority, fits)] : []
    })
    if (this.#fitting.size >= MOST_SIZES_KEPT) this.#fitting.clear()
    this.#fitting.set(passed, fitting)
    return fitting
  }

  /** Estimated tokens of the longest instructions that one of the channels adds to chats. */
  get instructionTokens(): number {
    return (this.#instructionTokens ??= this.tiers
      .flatMap(({ channels }) => channels)
      .reduce((most, channel) => Math.max(most, channel.instructionTokens), 0))
  }

  /** The channel with the lowest id. */
  first(): RoutedChannel | undefined {
    let first: RoutedChannel | undefined
    for (const { channels } of this.tiers) {
      const [lowest] = channels
      if (lowest && (first === undefined || lowest.id < first.id)) first = lowest
    }
    return first
  }
}

/** Sums of the weights up to each channel, so that a draw is a binary search. */
function weightSums(channels: readonly RoutedChannel[]): number[] {
  let sum = 0
  return channels.map(({ weight }) => (sum += weight + WEIGHT_FLOOR))
}

/** The different prompt limits, lowest first. */
function promptLimits(tiers: readonly Tier[]): number[] {
  const limits = new Set<number>()
  for (const { channels } of tiers)
    for (const { maxInputTokens } of channels) if (maxInputTokens > 0) limits.add(maxInputTokens)
  return [...limits].sort((left, right) => left - right)
}

/** Undefined if no channel is left. `come` is sorted by id. */
export function changedRoute(
  route: Route | undefined,
  gone: ReadonlySet<number>,
  come: readonly RoutedChannel[],
): Route | undefined {
  const coming = come.length > 0 ? Map.groupBy(come, ({ priority }) => priority) : nobody
  const tiers: Tier[] = []
  for (const tier of route?.tiers ?? []) {
    const next = tier.changed(gone, coming.get(tier.priority) ?? [])
    coming.delete(tier.priority)
    if (next.channels.length > 0) tiers.push(next)
  }
  for (const [priority, channels] of coming) tiers.push(new Tier(priority, channels))
  if (tiers.length === 0) return undefined
  if (tiers.length > 1) tiers.sort((left, right) => right.priority - left.priority)
  return new Route(tiers)
}

const nobody: Map<number, RoutedChannel[]> = new Map()

function without(channels: readonly RoutedChannel[], gone: ReadonlySet<number>) {
  return gone.size === 0 ? channels : channels.filter(({ id }) => !gone.has(id))
}

/** Merges two lists that are sorted by id. */
function merged(left: readonly RoutedChannel[], right: readonly RoutedChannel[]) {
  if (right.length === 0) return left
  const all: RoutedChannel[] = []
  let at = 0
  for (const channel of right) {
    for (let next = left[at]; next && next.id < channel.id; next = left[at]) {
      all.push(next)
      at += 1
    }
    all.push(channel)
  }
  for (; at < left.length; at += 1) all.push(left[at] as RoutedChannel)
  return all
}

/** The first position from which `holds` is true, or the length. */
function firstWhere(length: number, holds: (at: number) => boolean): number {
  let from = 0
  let to = length
  while (from < to) {
    const middle = (from + to) >>> 1
    if (holds(middle)) to = middle
    else from = middle + 1
  }
  return from
}
