import { byName } from '#console'

/** Options with a number for each model, in the order of the page. */
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

/** The price of one model, as far as the maps state it. */
export interface PriceRow {
  name: string
  /** Dollars per call; used instead of the ratios. */
  price?: number
  ratio?: number
  completionRatio?: number
  /** Left out when saving: the steps stay as they are. Undefined: the model has the shipped steps; empty: none. */
  steps?: PriceStep[] | undefined
}

/** The prices of longer prompts, as multiples of the model's own. */
export interface PriceStep {
  /** Tokens of the prompt. */
  above: number
  input: number
  output: number
  /** Where it differs from `input`. */
  cacheRead?: number
}

/** The maps that a row is made of. */
const rowMaps = {
  price: 'ModelPrice',
  ratio: 'ModelRatio',
  completionRatio: 'CompletionRatio',
} as const

const stepMap = 'PriceSteps'

type Wire = Readonly<Record<string, string>>

const MILLION = 1_000_000

/** One row for each model with a price or a ratio, sorted by name. */
export function rowsOf(wire: Wire): PriceRow[] {
  const [prices, ratios, completions] = Object.values(rowMaps).map((key) =>
    mapOf<number>(wire, key),
  )
  const steps = mapOf<PriceStep[]>(wire, stepMap)
  const names = new Set([...(prices?.keys() ?? []), ...(ratios?.keys() ?? [])])
  return [...names].sort(byName).map((name) => ({
    name,
    price: prices?.get(name),
    ratio: ratios?.get(name),
    completionRatio: completions?.get(name),
    ...(steps.has(name) ? { steps: steps.get(name) } : {}),
  }))
}

/** The maps that change when the rows become as given, as wire text. An undefined value is removed from its map. */
export function withRows(wire: Wire, rows: readonly PriceRow[]): Record<string, string> {
  const changes = Object.entries(rowMaps).map(([field, key]) =>
    changedMap(wire, key, rows, (row) => row[field as keyof typeof rowMaps]),
  )
  const stepped = rows.filter((row) => 'steps' in row)
  const stepChange = changedMap(wire, stepMap, stepped, ({ steps }) => steps)
  return Object.fromEntries([...changes, stepChange].flat())
}

/** The map with the value of each row, as an entry to save; empty if nothing has changed. */
function changedMap<T>(
  wire: Wire,
  key: string,
  rows: readonly PriceRow[],
  valueOf: (row: PriceRow) => T | undefined,
): [string, string][] {
  const map = mapOf<T>(wire, key)
  const before = textOf(map)
  for (const row of rows) {
    const value = valueOf(row)
    if (value === undefined) map.delete(row.name)
    else map.set(row.name, value)
  }
  const after = textOf(map)
  return after === before ? [] : [[key, after]]
}

/** A fixed price is stored alone, because ratios beside it would never be used. */
export function soundRow({ name, price, ...byTokens }: PriceRow): PriceRow {
  return price === undefined ? { name, ...byTokens } : { name, price }
}

/** Converts a ratio to dollars per million input tokens and back. Rounded, so that 0.1 + 0.2 stays readable. */
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
function mapOf<T>(wire: Wire, key: string): Map<string, T> {
  try {
    return new Map(Object.entries(JSON.parse(wire[key] || '{}') as Record<string, T>))
  } catch {
    return new Map()
  }
}

function textOf(map: ReadonlyMap<string, unknown>): string {
  return JSON.stringify(Object.fromEntries(map))
}
