// What was spent of each model in a week: a year of two thousand models is two million thirds of days. A week is summed once it is over, and again if
// something of its time is counted later, so that counting the log costs no more.
import type { TransactionStatements } from '#core'
import { DAY_SECONDS, HOUR_SECONDS } from './add-hours-sql.ts'
import { lockProgress } from './count-hours-sql.ts'
import { replacedSums, sumList, summedList } from './sums-sql.ts'

export const WEEK_SECONDS = 7 * DAY_SECONDS
/** Weeks begin on Mondays, and the epoch began on a Thursday. */
export const MONDAY_OFFSET = 3 * DAY_SECONDS

/** Sums the oldest week that is over and not summed yet. Of two thousand models it has 42 000 thirds.
 *  @returns false if there is none */
export async function sumNextWeek(
  statements: TransactionStatements,
  nowSeconds: number,
): Promise<boolean> {
  const progress = await lockProgress(statements)
  // Thirds of the past are still being summed.
  if (progress === undefined || progress.thirds_from > 0) return false
  const [thirds] = await statements.select<Record<'oldest' | 'newest', number | null>>(
    'SELECT MIN(created_at) AS oldest, MAX(created_at) AS newest FROM dashboard__thirds WHERE created_at >= :from',
    { from: progress.weeks_to },
  )
  const start = weekOf(thirds?.oldest ?? Infinity)
  const end = start + WEEK_SECONDS
  // An hour for those who come late.
  if (!(end + HOUR_SECONDS <= nowSeconds && end <= (thirds?.newest ?? 0))) return false
  await statements.run(
    `INSERT INTO dashboard__weeks (created_at, model_name, ${sumList})
     SELECT CAST(:start AS BIGINT), model_name, ${summedList}
     FROM dashboard__thirds WHERE created_at >= :start AND created_at < :end GROUP BY model_name
     ON CONFLICT (created_at, model_name) DO UPDATE SET ${replacedSums}`,
    { start, end },
  )
  await statements.run('UPDATE dashboard__progress SET weeks_to = :end WHERE id = 1', { end })
  return true
}

/** Something was counted from this time on: its week and later ones are not read until they are summed again. */
export async function forgetWeeksFrom(
  statements: TransactionStatements,
  createdAt: number,
): Promise<void> {
  await statements.run('UPDATE dashboard__progress SET weeks_to = :from WHERE id = 1', {
    from: weekOf(createdAt),
  })
}

function weekOf(time: number): number {
  return time - ((time + MONDAY_OFFSET) % WEEK_SECONDS)
}
