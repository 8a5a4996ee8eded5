import { type DatabaseService, selectMany } from '#core'
import { HOUR_SECONDS } from './add-hours-sql.ts'
import type { Span } from './all-hours-sql.ts'
import type { Source } from './hours-report.ts'
import { OTHER_MODELS, type DataRow } from './schema.ts'
import { sumColumns, sumList, summedList } from './sums-sql.ts'

/** Rows that are read at once: what the database sends together is taken in one turn of the event loop. */
const ROWS_AT_ONCE = 4_000

interface Named {
  totals: string
  names: readonly string[]
}

/** The hours of some models by name; the rest of each hour's total stands for all other models. */
export async function hoursOfModels(
  database: DatabaseService,
  source: Source,
  { start, end, ...named }: Span & Named,
): Promise<Omit<DataRow, 'id'>[]> {
  const seconds = Math.ceil(ROWS_AT_ONCE / (named.names.length + 1)) * HOUR_SECONDS
  const rows: Omit<DataRow, 'id'>[][] = []
  for (let from = start; from <= end; from += seconds) {
    const values = { ...source.values, start: from, end: Math.min(end, from + seconds - 1) }
    rows.push(await hoursWithin(database, { ...source, values }, named))
  }
  return rows.flat()
}

async function hoursWithin(
  database: DatabaseService,
  { sql, isOfOne, values }: Source,
  { totals, names }: Named,
): Promise<Omit<DataRow, 'id'>[]> {
  const owner = ['user_id', 'username'] as const
  const [ofModel, ofAll] = isOfOne
    ? [owner, owner.map((column) => `MAX(${column})`)]
    : [["0 AS user_id, '' AS username"], ["0, ''"]]
  // One statement, so that both parts are of the same moment: the job adds to both tables.
  const columns = ['is_total', 'created_at', 'model_name', ...owner, ...sumColumns] as const
  const found = await selectMany<Omit<DataRow, 'id'> & { is_total: number }>(database, {
    columns,
    sql: `SELECT 0 AS is_total, created_at, model_name, ${[...ofModel, sumList].join(', ')} FROM ${sql} WHERE model_name IN (:names)
     UNION ALL SELECT 1, created_at, '', ${[...ofAll, summedList].join(', ')} FROM ${totals}
     WHERE created_at >= :start AND created_at <= :end GROUP BY created_at ORDER BY 2, 1, 3`,
    values: { ...values, names },
  })
  const rows: Omit<DataRow, 'id'>[] = []
  let named = { token_used: 0, count: 0, quota: 0 }
  for (const { is_total: isTotal, ...hour } of found) {
    if (isTotal === 0) {
      rows.push(hour)
      named = plus(named, hour, 1)
      continue
    }
    const rest = plus(hour, named, -1)
    if (rest.count > 0) rows.push({ ...hour, ...rest, model_name: OTHER_MODELS })
    named = { token_used: 0, count: 0, quota: 0 }
  }
  return rows
}

type Sums = Pick<DataRow, 'token_used' | 'count' | 'quota'>

function plus(left: Sums, right: Sums, sign: 1 | -1): Sums {
  return {
    token_used: left.token_used + sign * right.token_used,
    count: left.count + sign * right.count,
    quota: left.quota + sign * right.quota,
  }
}
