// What everybody spent, over spans in which there are more rows of hour and model than an answer has: two thousand models used each hour are a
// million a month. Thirds of days have an eighth of them, and hold wherever no step ends within.
import type { DatabaseService } from '#core'
import { THIRD_SECONDS } from './add-hours-sql.ts'
import type { Span } from './hours-report.ts'
import { OTHER_MODELS, type DataRow } from './schema.ts'

const HOUR_SECONDS = 3_600
const columns = 'model_name, created_at, token_used, count, quota'

/** A table of sums by model, by the hour or more where all of it is of one step; without a step, of the span. It takes `:start` and `:end`. */
export function sumsOfAll(
  { start, end }: Span,
  step?: { seconds: number; offset: number },
): string {
  const hours = `SELECT ${columns} FROM dashboard__models WHERE created_at >= :start AND created_at <= :end`
  const from = Math.ceil(start / THIRD_SECONDS) * THIRD_SECONDS
  const lastHour = THIRD_SECONDS - HOUR_SECONDS
  const to = Math.floor((end - lastHour) / THIRD_SECONDS) * THIRD_SECONDS + THIRD_SECONDS
  if (from >= to) return `(${hours}) AS hours`
  const split: number[] = []
  for (let third = from; step !== undefined && third < to; third += THIRD_SECONDS)
    if ((third + step.offset) % step.seconds > step.seconds - THIRD_SECONDS) split.push(third)
  const splitHours = split.flatMap((third) =>
    Array.from({ length: THIRD_SECONDS / HOUR_SECONDS }, (_, at) => third + at * HOUR_SECONDS),
  )
  const thirds = `SELECT ${columns} FROM dashboard__thirds WHERE created_at >= ${from} AND created_at < ${to}`
  const parts = [
    `${hours} AND created_at < ${from}`,
    `${hours} AND created_at >= ${to}`,
    ...(split.length === 0
      ? [thirds]
      : [
          `${thirds} AND created_at NOT IN (${split.join(', ')})`,
          `SELECT ${columns} FROM dashboard__models WHERE created_at IN (${splitHours.join(', ')})`,
        ]),
  ]
  return `(${parts.join(' UNION ALL ')}) AS hours`
}

/** Hours of some models, and of all others what is left of the hour's total. */
export async function hoursOfModels(
  database: DatabaseService,
  { start, end }: Span,
  names: readonly string[],
): Promise<DataRow[]> {
  const sums = 'created_at, token_used, count, quota'
  const inSpan = 'created_at >= :start AND created_at <= :end'
  // In one statement, for the job adds to both.
  const found = await database.select<Hour & { is_total: number }>(
    `SELECT 0 AS is_total, model_name, ${sums} FROM dashboard__models WHERE model_name IN (:names) AND ${inSpan}
     UNION ALL SELECT 1, '', ${sums} FROM dashboard__totals WHERE ${inSpan} ORDER BY 3, 1, 2`,
    { names, start, end },
  )
  const rows: DataRow[] = []
  let named = { token_used: 0, count: 0, quota: 0 }
  for (const { is_total: isTotal, ...hour } of found) {
    if (isTotal === 0) {
      rows.push(ofEverybody(hour))
      named = plus(named, hour, 1)
      continue
    }
    const rest = plus(hour, named, -1)
    if (rest.count > 0) rows.push(ofEverybody({ ...hour, ...rest, model_name: OTHER_MODELS }))
    named = { token_used: 0, count: 0, quota: 0 }
  }
  return rows
}

type Hour = Omit<DataRow, 'id' | 'user_id' | 'username'>
type Sums = Pick<Hour, 'token_used' | 'count' | 'quota'>

function ofEverybody(hour: Hour): DataRow {
  return { id: 0, user_id: 0, username: '', ...hour }
}

function plus(left: Sums, right: Sums, sign: 1 | -1): Sums {
  return {
    token_used: left.token_used + sign * right.token_used,
    count: left.count + sign * right.count,
    quota: left.quota + sign * right.quota,
  }
}
