// Sums of thirds of days by model, and totals by the hour, for users with many rows by model and hour. They are made
// when a third is over, and again when rows of it arrive later, so that counting the log costs no more than before. A
// user with few rows in a third has none. A third is summed for a user if the totals contain its hours.
import type { DatabaseService, TransactionStatements } from '#core'
import { HOUR_SECONDS, THIRD_SECONDS } from './add-hours-sql.ts'
import { lockProgress } from './count-hours-sql.ts'
import { sumList, summedList } from './sums-sql.ts'

/** The least number of rows of a user in a third of a day for which sums are kept. */
const manyRows = 200

/** A third of a day, named by its first second. */
export interface UserThird {
  user: number
  third: number
}

export interface BusyThird {
  /** All thirds before this time are done. */
  done: number
  third: number
  users: number[]
}

/** The oldest third that is over and not yet summed, with the users who were busy in it. */
export async function nextBusyThird(
  database: DatabaseService,
  nowSeconds: number,
): Promise<BusyThird | undefined> {
  const [found] = await database.select<{ done: number; hour: number | null; newest: number }>(
    `SELECT user_thirds_to AS done,
       (SELECT MIN(created_at) FROM dashboard__hours WHERE created_at >= user_thirds_to) AS hour,
       (SELECT MAX(created_at) FROM dashboard__hours) AS newest
     FROM dashboard__progress WHERE id = 1`,
  )
  const hour = found?.hour ?? undefined
  if (found === undefined || hour === undefined) return undefined
  const third = hour - (hour % THIRD_SECONDS)
  // Waits one more hour for rows that arrive late.
  if (third + THIRD_SECONDS + HOUR_SECONDS > Math.min(found.newest, nowSeconds)) return undefined
  const users = await database.select<{ user_id: number }>(
    `SELECT user_id FROM dashboard__hours WHERE created_at >= :third AND created_at < :end
     GROUP BY user_id HAVING COUNT(*) >= ${manyRows}`,
    { third, end: third + THIRD_SECONDS },
  )
  return { done: found.done, third, users: users.map(({ user_id }) => user_id) }
}

/** Claims the third before its users are summed. From now on `forgetThirdsFrom` notices rows that arrive late.
 *  @returns false if another process has claimed it */
export async function beginThird(
  statements: TransactionStatements,
  { done, third }: BusyThird,
): Promise<boolean> {
  const progress = await lockProgress(statements)
  if (progress?.user_thirds_to !== done) return false
  await statements.run('UPDATE dashboard__progress SET user_thirds_to = :to WHERE id = 1', {
    to: third + THIRD_SECONDS,
  })
  return true
}

/** Sums a third of a user from the hours, unless it was forgotten in the meantime. A third in which the user had two
 *  names is not summed: the hours are read instead. */
export async function sumUserThird(
  statements: TransactionStatements,
  { user, third }: UserThird,
): Promise<void> {
  const progress = await lockProgress(statements)
  if (progress === undefined || progress.user_thirds_to <= third) return
  const values = { user, third, end: third + THIRD_SECONDS }
  const inThird = 'created_at >= :third AND created_at < :end'
  for (const table of ['user_thirds', 'user_totals'])
    await statements.run(
      `DELETE FROM dashboard__${table} WHERE user_id = :user AND ${inThird}`,
      values,
    )
  // The plus keeps SQLite from using the index on the user, with which it would read all hours that the user ever
  // had.
  const owner = statements.dialect === 'sqlite' ? '+user_id' : 'user_id'
  const rows = `FROM dashboard__hours WHERE ${owner} = :user AND ${inThird}`
  const [names] = await statements.select<{ count: number }>(
    `SELECT COUNT(DISTINCT username) AS count ${rows}`,
    values,
  )
  if (names?.count !== 1) return
  await statements.run(
    `INSERT INTO dashboard__user_thirds (user_id, created_at, model_name, username, ${sumList})
     SELECT user_id, CAST(:third AS BIGINT), model_name, MAX(username), ${summedList} ${rows} GROUP BY user_id, model_name`,
    values,
  )
  await statements.run(
    `INSERT INTO dashboard__user_totals (user_id, created_at, username, ${sumList})
     SELECT user_id, created_at, MAX(username), ${summedList} ${rows} GROUP BY user_id, created_at`,
    values,
  )
}

/** Rows from this time on were counted: the sums of its third and of later ones are dropped and made again. */
export async function forgetThirdsFrom(
  statements: TransactionStatements,
  createdAt: number,
): Promise<void> {
  const from = createdAt - (createdAt % THIRD_SECONDS)
  await statements.run('DELETE FROM dashboard__user_totals WHERE created_at >= :from', { from })
  await statements.run('UPDATE dashboard__progress SET user_thirds_to = :from WHERE id = 1', {
    from,
  })
}
