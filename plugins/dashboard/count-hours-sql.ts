import type { DatabaseService, Transaction } from '#core'
import { DAY_SECONDS } from './add-hours-sql.ts'

export interface Progress {
  last_id: number
  last_created_at: number
  /** The beginning of a day from which on the sums of all are whole. */
  summed_from: number
  /** How many cuts of the log it knows of: `logCuts`. */
  cut_count: number
}

export interface Start {
  id: number
  /** Only rows after this second. */
  after: number
}

export async function newestId(
  database: DatabaseService,
  transaction?: Transaction,
): Promise<number> {
  const sql = 'SELECT MAX(id) AS id FROM logs'
  const [newest] = await database.select<{ id: number | null }>(sql, {}, transaction)
  return newest?.id ?? 0
}

/** Until the end of the transaction nobody else counts. */
export async function lockProgress(
  database: DatabaseService,
  transaction: Transaction,
): Promise<Progress | undefined> {
  const lock = database.dialect === 'postgres' ? ' FOR UPDATE' : ''
  const [progress] = await database.select<Progress>(
    `SELECT last_id, last_created_at, summed_from, cut_count FROM dashboard__progress WHERE id = 1${lock}`,
    {},
    transaction,
  )
  return progress
}

/** When the row of this id was written, or the last one up to it. */
export async function createdAtOf(
  database: DatabaseService,
  row: { id: number } | { upTo: number },
  transaction: Transaction,
): Promise<number | undefined> {
  const which = 'id' in row ? 'id = :id' : 'id <= :upTo ORDER BY id DESC LIMIT 1'
  const [found] = await database.select<{ created_at: number }>(
    `SELECT created_at FROM logs WHERE ${which}`,
    row,
    transaction,
  )
  return found?.created_at
}

/** Before which row and with which one a slice begins and ends. The last is a row that is there, for the next time begins at it, and of many ids the rows may be gone. */
export async function lastOfSlice(
  database: DatabaseService,
  { id, after, end, limit }: Start & { end: number; limit: number },
  transaction: Transaction,
): Promise<{ before: number; to: number }> {
  const one = async (sql: string, values: Record<string, number>) => {
    const [found] = await database.select<{ id: number | null }>(sql, values, transaction)
    return found?.id ?? undefined
  }
  const isNew = after < 0 ? 'id > :id' : 'id > :id AND created_at > :after'
  const first = await one(`SELECT MIN(id) AS id FROM logs WHERE ${isNew}`, { id, after })
  if (first === undefined) return { before: id, to: end }
  const upTo = Math.min(end, first + limit - 1)
  const last = await one('SELECT MAX(id) AS id FROM logs WHERE id <= :upTo', { upTo })
  return { before: first - 1, to: last ?? end }
}

export async function moveProgress(
  database: DatabaseService,
  values: { to: number; created: number; now: number | null; cuts: number },
  transaction: Transaction,
): Promise<void> {
  await database.run(
    `UPDATE dashboard__progress SET last_id = :to, last_created_at = :created, cut_count = :cuts,
       counted_at = COALESCE(CAST(:now AS BIGINT), counted_at) WHERE id = 1`,
    values,
    transaction,
  )
}

const sums = ['token_used', 'count', 'quota'] as const
const daySums = sums.map((column) => `CAST(SUM(${column}) AS BIGINT)`).join(', ')

/** Sums anew what all of a day come to, from the rows of each user: of the time before such sums were kept. @returns where they begin now */
export async function sumDayBefore(
  database: DatabaseService,
  summedFrom: number,
  transaction: Transaction,
): Promise<number> {
  const [last] = await database.select<{ hour: number | null }>(
    'SELECT MAX(created_at) AS hour FROM dashboard__hours WHERE created_at < :summedFrom',
    { summedFrom },
    transaction,
  )
  const hour = last?.hour ?? undefined
  const from = hour === undefined ? 0 : hour - (hour % DAY_SECONDS)
  const values = { from, to: from + DAY_SECONDS }
  const ofDay = 'FROM dashboard__hours WHERE created_at >= :from AND created_at < :to GROUP BY 1, 2'
  const replaced = sums.map((column) => `${column} = excluded.${column}`).join(', ')
  if (hour !== undefined) {
    await database.run(
      `INSERT INTO dashboard__models (created_at, model_name, token_used, count, quota)
       SELECT created_at, model_name, ${daySums} ${ofDay}
       ON CONFLICT (created_at, model_name) DO UPDATE SET ${replaced}`,
      values,
      transaction,
    )
    await database.run(
      `INSERT INTO dashboard__users (created_at, user_id, username, token_used, count, quota)
       SELECT created_at - created_at % ${DAY_SECONDS}, user_id, MAX(username), ${daySums} ${ofDay}
       ON CONFLICT (created_at, user_id) DO UPDATE SET username = excluded.username, ${replaced}`,
      values,
      transaction,
    )
  }
  await database.run('UPDATE dashboard__progress SET summed_from = :from', { from }, transaction)
  return from
}
