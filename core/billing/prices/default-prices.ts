// The price maps of a new installation, taken from the manifests of its adapters, option by option.
import type { Adapter } from '../../contract/adapter.ts'
import type { ModelPrice, ModelPrices, PriceStep } from '../../contract/prices.ts'
import { PriceMap } from './price-map.ts'

type PriceKey = Exclude<keyof ModelPrice, 'steps'>
type NumberMap = Record<string, number>
type StepMap = Record<string, readonly PriceStep[]>
export type PricedAdapter = Pick<Adapter, 'prices' | 'tasks'>

/** The option that holds a figure of each kind. */
export const priceOptionOf: Readonly<Record<PriceKey, string>> = {
  price: 'ModelPrice',
  ratio: 'ModelRatio',
  completion: 'CompletionRatio',
  cacheRead: 'CacheRatio',
  cacheWrite: 'CreateCacheRatio',
  image: 'ImageRatio',
  imageCompletion: 'ImageCompletionRatio',
  audio: 'AudioRatio',
  audioCompletion: 'AudioCompletionRatio',
}
/** The option that holds the steps by length. */
export const stepOption = 'PriceSteps'
const priceKeys = Object.keys(priceOptionOf) as PriceKey[]

export type DefaultPrices = Readonly<Record<PriceKey, NumberMap>> & { readonly steps: StepMap }
/** Ratios by the beginning of a model's name. */
export type FamilyRatios = Readonly<Record<PriceKey, PriceMap>> & {
  readonly steps: PriceMap<readonly PriceStep[]>
}

/** The shipped map of each kind. If two adapters name the same model, the first one counts. */
export function defaultPrices(adapters: readonly PricedAdapter[]): DefaultPrices {
  return byKind(adapters.map(({ prices }) => prices?.models ?? {}))
}

export function familyRatios(adapters: readonly PricedAdapter[]): FamilyRatios {
  const maps = byKind(adapters.map(({ prices }) => prices?.families ?? {}))
  const entries = priceKeys.map((key) => [key, new PriceMap(maps[key])])
  return {
    ...(Object.fromEntries(entries) as Record<PriceKey, PriceMap>),
    steps: new PriceMap(maps.steps),
  }
}

/** The shipped prices of drawings, songs and other tasks: they hold where the options have none, because a task is never
 *  refused for want of a price. */
export function taskPrices(adapters: readonly PricedAdapter[]): PriceMap {
  const tables = adapters.map(({ tasks, prices }) => (tasks ? (prices?.models ?? {}) : {}))
  return new PriceMap(firstWords(tables, 'price'))
}

function byKind(tables: readonly ModelPrices[]): DefaultPrices {
  const kinds = priceKeys.map((key) => [key, firstWords(tables, key)])
  return {
    ...(Object.fromEntries(kinds) as Record<PriceKey, NumberMap>),
    steps: firstWords(tables, 'steps'),
  }
}

/** For each model, the value from the first table that has one. */
function firstWords<K extends keyof ModelPrice>(
  tables: readonly ModelPrices[],
  key: K,
): Record<string, NonNullable<ModelPrice[K]>> {
  const map = new Map<string, NonNullable<ModelPrice[K]>>()
  for (const [model, figures] of tables.flatMap((table) => Object.entries(table))) {
    const figure = figures[key]
    if (figure !== undefined && !map.has(model)) map.set(model, figure)
  }
  return Object.fromEntries(map)
}
