/** Options that hold a number for each model, in the order of the page. */
export const priceKeys = [
  'ModelPrice',
  'ModelRatio',
  'CompletionRatio',
  'CacheRatio',
  'CreateCacheRatio',
  'ImageRatio',
  'ImageCompletionRatio',
  'AudioRatio',
  'AudioCompletionRatio',
  'PriceSteps',
] as const

/** What one model costs, as far as the maps say it. */
export interface PriceRow {
  name: string
  /** Dollars per call; goes before the ratios. */
  price?: number
  ratio?: number
  completionRatio?: number
}

/** The maps that a row is made of. */
export const rowMaps = {
  price: 'ModelPrice',
  ratio: 'ModelRatio',
  completionRatio: 'CompletionRatio',
} as const

type Wire = Readonly<Record<string, string>>
type NumberMap = Record<string, number>

const MILLION = 1_000_000

/** One row a model that has a price or a ratio, by name. */
export function rowsOf(wire: Wire): PriceRow[] {
  const [prices, ratios, completions] = Object.values(rowMaps).map((key) => mapOf(wire, key))
  const names = new Set([...(prices?.keys() ?? []), ...(ratios?.keys() ?? [])])
  return [...names].sort().map((name) => ({
    name,
    price: prices?.get(name),
    ratio: ratios?.get(name),
    completionRatio: completions?.get(name),
  }))
}

/** The changed maps, as wire text, once the rows are as given; undefined values leave a map. */
export function withRows(wire: Wire, rows: readonly PriceRow[]): Record<string, string> {
  const changed: Record<string, string> = {}
  for (const [field, key] of Object.entries(rowMaps)) {
    const map = mapOf(wire, key)
    const before = textOf(map)
    for (const row of rows) {
      const value = row[field as keyof typeof rowMaps]
      if (value === undefined) map.delete(row.name)
      else map.set(row.name, value)
    }
    const after = textOf(map)
    if (after !== before) changed[key] = after
  }
  return changed
}

/** A fixed price goes alone: ratios beside it would never be used. */
export function soundRow({ name, price, ratio, completionRatio }: PriceRow): PriceRow {
  return price === undefined ? { name, ratio, completionRatio } : { name, price }
}

/** Dollars per million input tokens of a ratio, and back. Rounded so that 0.1 + 0.2 stays readable. */
export function dollarsOf(ratio: number, quotaPerUnit: number): number {
  return rounded((ratio * MILLION) / quotaPerUnit)
}

export function ratioOf(dollars: number, quotaPerUnit: number): number {
  return rounded((dollars * quotaPerUnit) / MILLION)
}

export function rounded(value: number): number {
  return Number(value.toPrecision(12))
}

/** A Map, because a model may have any name. */
function mapOf(wire: Wire, key: string): Map<string, number> {
  try {
    return new Map(Object.entries(JSON.parse(wire[key] || '{}') as NumberMap))
  } catch {
    return new Map()
  }
}

function textOf(map: ReadonlyMap<string, number>): string {
  return JSON.stringify(Object.fromEntries(map))
}
