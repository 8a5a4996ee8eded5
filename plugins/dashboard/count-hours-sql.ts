import { type DatabaseService, hourSums, type Transaction } from '#core'

export interface Progress {
  last_id: number
  last_created_at: number
}

export interface Start {
  id: number
  /** Only rows after this second. */
  after: number
}

export async function newestId(database: DatabaseService): Promise<number> {
  const [newest] = await database.select<{ id: number | null }>('SELECT MAX(id) AS id FROM logs')
  return newest?.id ?? 0
}

export async function readProgress(
  database: DatabaseService,
  transaction: Transaction,
): Promise<Progress | undefined> {
  const [progress] = await database.select<Progress>(
    'SELECT last_id, last_created_at FROM dashboard__progress WHERE id = 1',
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

/** @returns false when somebody else moved it meanwhile */
export async function moveProgress(
  database: DatabaseService,
  values: { to: number; created: number; now: number; before: number },
  transaction: Transaction,
): Promise<boolean> {
  const moved = await database.run(
    `UPDATE dashboard__progress SET last_id = :to, last_created_at = :created, counted_at = :now
     WHERE id = 1 AND last_id = :before`,
    values,
    transaction,
  )
  return moved > 0
}

export async function addHours(
  database: DatabaseService,
  { id, after, to }: Start & { to: number },
  transaction: Transaction,
): Promise<void> {
  const { sql, values } = hourSums({
    by: ['user_id', 'model_name'],
    sums: ['username', 'token_used', 'count', 'quota'],
    where: 'id > :id AND id <= :to AND created_at > :after',
  })
  await database.run(
    `INSERT INTO dashboard__hours (user_id, model_name, created_at, username, token_used, count, quota)
     ${sql}
     ON CONFLICT (user_id, model_name, created_at) DO UPDATE SET
       username = excluded.username,
       token_used = dashboard__hours.token_used + excluded.token_used,
       count = dashboard__hours.count + excluded.count,
       quota = dashboard__hours.quota + excluded.quota`,
    { ...values, id, to, after },
    transaction,
  )
}
