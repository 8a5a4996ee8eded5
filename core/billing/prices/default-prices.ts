// The price maps that an installation starts with: what the manifests of its adapters say, option by option.
import type { Adapter } from '../../contract/adapter.ts'
import type { ModelPrice, ModelPrices } from '../../contract/prices.ts'
import { PriceMap } from './price-map.ts'

type PriceKey = keyof ModelPrice
type NumberMap = Record<string, number>
type Priced = Pick<Adapter, 'prices'>

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
const priceKeys = Object.keys(priceOptionOf) as PriceKey[]

export type DefaultPrices = Readonly<Record<PriceKey, NumberMap>>
/** Ratios by the beginning of a name. */
export type FamilyRatios = Readonly<Record<PriceKey, PriceMap>>

/** The shipped map of each kind. Where two adapters name one model, the first one's word counts. */
export function defaultPrices(adapters: readonly Priced[]): DefaultPrices {
  return byKind(adapters.map(({ prices }) => prices?.models ?? {}))
}

export function familyRatios(adapters: readonly Priced[]): FamilyRatios {
  const maps = byKind(adapters.map(({ prices }) => prices?.families ?? {}))
  const entries = priceKeys.map((key) => [key, new PriceMap(maps[key])])
  return Object.fromEntries(entries) as FamilyRatios
}

function byKind(tables: readonly ModelPrices[]): DefaultPrices {
  const kinds = priceKeys.map((key) => [key, new Map<string, number>()] as const)
  for (const [model, figures] of tables.flatMap((table) => Object.entries(table))) {
    for (const [key, map] of kinds) {
      const figure = figures[key]
      if (figure !== undefined && !map.has(model)) map.set(model, figure)
    }
  }
  return Object.fromEntries(
    kinds.map(([key, map]) => [key, Object.fromEntries(map)]),
  ) as DefaultPrices
}
