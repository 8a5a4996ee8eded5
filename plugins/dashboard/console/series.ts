// Turns the rows of the data calls into the series of the chart: at most six models, the rest as one series, and a
// value for every step of time.
import { byName } from '#console'
import { type DataRow, OTHER_MODELS } from '../schema.ts'
import { keptColors } from './series-colors.ts'

export type Measure = 'quota' | 'count' | 'token_used'
export type Step = 'hour' | 'day' | 'week'

export interface Series {
  /** Undefined for the series of all other models. */
  model: string | undefined
  /** A colour from 1 to 12, or 0 for the rest. */
  color: number
  total: number
  /** One value for each step. */
  values: number[]
}

export interface ChartData {
  /** The first second of each step. */
  times: number[]
  /** Sorted by total, largest first; the rest comes last. */
  series: Series[]
  totals: Record<Measure, number>
  modelCount: number
}

const mostSeries = 6

export function chartData(
  rows: readonly DataRow[],
  measure: Measure,
  times: readonly number[],
  modelCount?: number,
): ChartData {
  const totals = { quota: 0, count: 0, token_used: 0 }
  const byModel = new Map<string, Map<number, number>>()
  for (const row of rows) {
    totals.quota += row.quota
    totals.count += row.count
    totals.token_used += row.token_used
    const values = byModel.get(row.model_name) ?? new Map<number, number>()
    values.set(row.created_at, (values.get(row.created_at) ?? 0) + row[measure])
    byModel.set(row.model_name, values)
  }
  const all = allTimes(times, rows)
  const folded = byModel.get(OTHER_MODELS)
  byModel.delete(OTHER_MODELS)
  const ranked = [...byModel]
    .map(([model, values]) => ({ model, values, total: sumOf([...values.values()]) }))
    .sort((a, b) => b.total - a.total || byName(a.model, b.model))
  const hasRest = folded !== undefined || ranked.length > mostSeries + 1
  const shown = hasRest ? ranked.slice(0, mostSeries) : ranked
  const colors = keptColors(shown.map(({ model }) => model))
  const series: Series[] = shown.map(({ model, values, total }) => ({
    model,
    color: colors.get(model) ?? 0,
    total,
    values: all.map((time) => values.get(time) ?? 0),
  }))
  const rest = [
    ...ranked.slice(shown.length).map(({ values }) => values),
    ...(folded ? [folded] : []),
  ]
  if (rest.length > 0) {
    const values = all.map((time) => sumOf(rest.map((of) => of.get(time) ?? 0)))
    series.push({ model: undefined, color: 0, total: sumOf(values), values })
  }
  return { times: all, series, totals, modelCount: modelCount ?? ranked.length }
}

/** The steps of the span, and those in which the server found rows. Its days may begin at another hour where clocks
 *  were changed. */
function allTimes(times: readonly number[], rows: readonly DataRow[]): number[] {
  return [...new Set([...times, ...rows.map(({ created_at }) => created_at)])].sort((a, b) => a - b)
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0)
}
