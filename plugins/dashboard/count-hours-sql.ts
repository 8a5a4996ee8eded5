import { type DatabaseService, hourSums, type Transaction } from '#core'

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

/** The last one to be counted at once: a row that is there, for the next time begins at it, and of many ids the rows may be gone. */
export async function lastOfSlice(
  database: DatabaseService,
  slice: Start & { end: number; limit: number },
  transaction: Transaction,
): Promise<number> {
  const [last] = await database.select<{ id: number | null }>(
    `SELECT MAX(id) AS id FROM (
       SELECT id FROM logs WHERE id > :id AND id <= :end AND created_at > :after ORDER BY id LIMIT :limit
     ) AS slice`,
    { ...slice },
    transaction,
  )
  return last?.id ?? slice.end
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

const added = (table: string, columns: readonly string[]) =>
  columns.map((column) => `${column} = ${table}.${column} + excluded.${column}`).join(', ')
const sumColumns = ['token_used', 'count', 'quota'] as const

/** Adds rows of the log: by user and model, of all by model, and by user and day. */
export async function addHours(
  database: DatabaseService,
  { id, after, to }: Start & { to: number },
  transaction: Transaction,
): Promise<void> {
  const where = 'id > :id AND id <= :to AND created_at > :after'
  const hours = hourSums({
    by: ['user_id', 'model_name'],
    sums: ['username', ...sumColumns],
    where,
  })
  const models = hourSums({ by: ['model_name'], sums: sumColumns, where })
  const users = hourSums({ by: ['user_id'], sums: ['username', ...sumColumns], where })
  const statements = [
    `INSERT INTO dashboard__hours (user_id, model_name, created_at, username, token_used, count, quota)
     ${hours.sql}
     ON CONFLICT (user_id, model_name, created_at) DO UPDATE SET
       username = excluded.username, ${added('dashboard__hours', sumColumns)}`,
    `INSERT INTO dashboard__models (model_name, created_at, token_used, count, quota)
     ${models.sql}
     ON CONFLICT (created_at, model_name) DO UPDATE SET ${added('dashboard__models', sumColumns)}`,
    `INSERT INTO dashboard__users (created_at, user_id, username, token_used, count, quota)
     SELECT hour - hour % ${DAY_SECONDS}, user_id, MAX(username), ${daySums} FROM (${users.sql}) AS hours GROUP BY 1, 2
     ON CONFLICT (created_at, user_id) DO UPDATE SET
       username = excluded.username, ${added('dashboard__users', sumColumns)}`,
  ]
  const values = { ...hours.values, id, to, after }
  for (const sql of statements) await database.run(sql, values, transaction)
}

export const DAY_SECONDS = 86_400
const daySums = sumColumns.map((column) => `CAST(SUM(${column}) AS BIGINT)`).join(', ')

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
  const replaced = sumColumns.map((column) => `${column} = excluded.${column}`).join(', ')
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
