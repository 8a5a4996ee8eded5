import type { TransactionStatements } from '#core'
import { DAY_SECONDS, THIRD_SECONDS } from './add-hours-sql.ts'
import { replacedSums, sumList, summedList } from './sums-sql.ts'

export interface Progress {
  last_id: number
  last_created_at: number
  /** The start of the first day from which on the sums of all users are complete. */
  summed_from: number
  /** The same for the sums by thirds of days and for the totals. */
  thirds_from: number
  /** The last row of the log that is counted in them. */
  thirds_id: number
  /** The thirds before this time are summed for busy users: `user-thirds-sql.ts`. */
  user_thirds_to: number
  /** The last row of the log that was counted by a process which knows these sums. */
  user_thirds_id: number
  /** Before which block of days those of users are summed, and where the one ends that is being summed: `user-blocks-sql.ts`. */
  user_blocks_to: number
  user_blocks_begun: number
  /** How far those were counted. */
  user_blocks_id: number
  /** The weeks before this time are summed by model: `model-weeks-sql.ts`. */
  weeks_to: number
  /** How far those were counted. */
  weeks_id: number
  /** How many cuts of the log (`logCuts`) have been taken into account. */
  cut_count: number
}

export interface Start {
  id: number
  /** Only rows after this second are read. */
  after: number
}

export async function newestId(statements: TransactionStatements): Promise<number> {
  const sql = 'SELECT MAX(id) AS id FROM logs'
  const [newest] = await statements.select<{ id: number | null }>(sql, {})
  return newest?.id ?? 0
}

/** Locks the progress until the end of the transaction, so that no other process counts meanwhile. */
export async function lockProgress(
  statements: TransactionStatements,
): Promise<Progress | undefined> {
  const lock = statements.dialect === 'postgres' ? ' FOR UPDATE' : ''
  const [progress] = await statements.select<Progress>(
    `SELECT last_id, last_created_at, summed_from, thirds_from, thirds_id, user_thirds_to, user_thirds_id,
       user_blocks_to, user_blocks_begun, user_blocks_id, weeks_to, weeks_id, cut_count FROM dashboard__progress WHERE id = 1${lock}`,
    {},
  )
  return progress
}

/** When the row with this id, or the last row up to an id, was written. */
export async function createdAtOf(
  statements: TransactionStatements,
  row: { id: number } | { upTo: number },
): Promise<number | undefined> {
  const which = 'id' in row ? 'id = :id' : 'id <= :upTo ORDER BY id DESC LIMIT 1'
  const [found] = await statements.select<{ created_at: number }>(
    `SELECT created_at FROM logs WHERE ${which}`,
    row,
  )
  return found?.created_at
}

/** The ids between which the next slice lies: it begins after `before` and ends with `to`. `to` is the id of an
 *  existing row, because the next slice begins there, and rows may be missing from the range of ids. */
export async function lastOfSlice(
  statements: TransactionStatements,
  { id, after, end, limit }: Start & { end: number; limit: number },
): Promise<{ before: number; to: number }> {
  const one = async (sql: string, values: Record<string, number>) => {
    const [found] = await statements.select<{ id: number | null }>(sql, values)
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
  statements: TransactionStatements,
  values: { to: number; created: number; now: number | null; cuts: number },
): Promise<void> {
  await statements.run(
    `UPDATE dashboard__progress SET last_id = :to, thirds_id = :to, user_thirds_id = :to, user_blocks_id = :to, weeks_id = :to,
       last_created_at = :created, cut_count = :cuts,
       counted_at = COALESCE(CAST(:now AS BIGINT), counted_at) WHERE id = 1`,
    values,
  )
}

/** Adds up the sums of all users for the last day before `summedFrom`, from the rows by user. They are missing for
 *  the time before this version kept them.
 *  @returns the new `summed_from` */
export async function sumDayBefore(
  statements: TransactionStatements,
  summedFrom: number,
): Promise<number> {
  const [last] = await statements.select<{ hour: number | null }>(
    'SELECT MAX(created_at) AS hour FROM dashboard__hours WHERE created_at < :summedFrom',
    { summedFrom },
  )
  const hour = last?.hour ?? undefined
  const from = hour === undefined ? 0 : hour - (hour % DAY_SECONDS)
  const values = { from, to: from + DAY_SECONDS }
  const ofDay = 'FROM dashboard__hours WHERE created_at >= :from AND created_at < :to GROUP BY 1, 2'
  if (hour !== undefined) {
    await statements.run(
      `INSERT INTO dashboard__models (created_at, model_name, ${sumList})
       SELECT created_at, model_name, ${summedList} ${ofDay}
       ON CONFLICT (created_at, model_name) DO UPDATE SET ${replacedSums}`,
      values,
    )
    await statements.run(
      `INSERT INTO dashboard__users (created_at, user_id, username, ${sumList})
       SELECT created_at - created_at % ${DAY_SECONDS}, user_id, MAX(username), ${summedList} ${ofDay}
       ON CONFLICT (created_at, user_id) DO UPDATE SET username = excluded.username, ${replacedSums}`,
      values,
    )
  }
  await statements.run('UPDATE dashboard__progress SET summed_from = :from', { from })
  return from
}

/** Discards all sums by thirds and the totals, because a process of an older version has counted rows without them. */
export async function distrustThirds(statements: TransactionStatements): Promise<void> {
  await statements.run(
    `UPDATE dashboard__progress SET thirds_from = COALESCE(
       (SELECT MAX(created_at) - MAX(created_at) % ${DAY_SECONDS} + ${DAY_SECONDS} FROM dashboard__hours), 0)`,
    {},
  )
}

/** Adds up the thirds and totals of the last day before `thirdsFrom`.
 *  @returns the new `thirds_from` */
export async function sumThirdsBefore(
  statements: TransactionStatements,
  thirdsFrom: number,
): Promise<number> {
  const [last] = await statements.select<{ hour: number | null }>(
    'SELECT MAX(created_at) AS hour FROM dashboard__models WHERE created_at < :thirdsFrom',
    { thirdsFrom },
  )
  const hour = last?.hour ?? undefined
  const from = hour === undefined ? 0 : hour - (hour % DAY_SECONDS)
  const values = { from, to: from + DAY_SECONDS }
  const ofDay = 'FROM dashboard__models WHERE created_at >= :from AND created_at < :to'
  if (hour !== undefined) {
    await statements.run(
      `INSERT INTO dashboard__thirds (created_at, model_name, ${sumList})
       SELECT created_at - created_at % ${THIRD_SECONDS}, model_name, ${summedList} ${ofDay} GROUP BY 1, 2
       ON CONFLICT (created_at, model_name) DO UPDATE SET ${replacedSums}`,
      values,
    )
    await statements.run(
      `INSERT INTO dashboard__totals (created_at, ${sumList})
       SELECT created_at, ${summedList} ${ofDay} GROUP BY 1 ON CONFLICT (created_at) DO UPDATE SET ${replacedSums}`,
      values,
    )
  }
  await statements.run('UPDATE dashboard__progress SET thirds_from = :from', { from })
  return from
}

/** When the oldest of the rows was written that a process has counted which knows nothing of thirds of users, of blocks or of weeks. */
export async function oldestCountedWithout(
  statements: TransactionStatements,
  { user_thirds_id: thirds, user_blocks_id: blocks, weeks_id: weeks, last_id: to }: Progress,
): Promise<number> {
  const from = Math.min(thirds, blocks, weeks)
  if (from >= to) return Infinity
  const [oldest] = await statements.select<{ created_at: number | null }>(
    'SELECT MIN(created_at) AS created_at FROM logs WHERE id > :from AND id <= :to',
    { from, to },
  )
  return oldest?.created_at ?? Infinity
}
