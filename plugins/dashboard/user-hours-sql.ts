// What one user with many rows by hour and model spent: from the sums by thirds of days where they exist, and from
// the hours elsewhere.
import type { DatabaseService } from '#core'
import { HOUR_SECONDS, THIRD_SECONDS } from './add-hours-sql.ts'
import { isSplit, type Span, type Step, type Summed, thirdsWithin } from './all-hours-sql.ts'
import { sumList } from './sums-sql.ts'

export interface UserSpan extends Span {
  userId: number
  /** Where it is left out, the rows under all names of the user are read. */
  username: string | undefined
}

/** The thirds of days within the span for which the user has sums. */
export async function summedThirds(
  database: DatabaseService,
  { userId, username, ...span }: UserSpan,
): Promise<number[]> {
  const { from, to } = thirdsWithin(span)
  if (from >= to) return []
  const ofName = username === undefined ? '' : 'AND username = :username'
  const found = await database.select<{ third: number }>(
    `SELECT DISTINCT created_at - created_at % ${THIRD_SECONDS} AS third FROM dashboard__user_totals
     WHERE user_id = :userId AND created_at >= :from AND created_at < :to ${ofName}`,
    { userId, username, from, to },
  )
  return found.map(({ third }) => third)
}

/** The statements expect the values `:userId` and `:username`.
 *  @param thirds the thirds for which the user has sums */
export function sumsOfUser({ start, end, username }: UserSpan, thirds: readonly number[]): Summed {
  const ofUser = `user_id = :userId${username === undefined ? '' : ' AND username = :username'}`
  const hours = hoursFrom(Math.ceil(start / HOUR_SECONDS) * HOUR_SECONDS, end + 1)
  const hoursBeside = (whole: readonly number[]) => {
    const covered = new Set(whole)
    const rest = hours.filter((hour) => !covered.has(hour - (hour % THIRD_SECONDS)))
    return `dashboard__hours WHERE ${ofUser} AND created_at IN (${listOf(rest)})`
  }
  const sums = `user_id, username, created_at, ${sumList}`
  const table = (step?: Step) => {
    const whole = step === undefined ? thirds : thirds.filter((third) => !isSplit(third, step))
    return `(SELECT model_name, ${sums} FROM dashboard__user_thirds WHERE user_id = :userId AND created_at IN (${listOf(whole)})
      UNION ALL SELECT model_name, ${sums} FROM ${hoursBeside(whole)}) AS hours`
  }
  const summed = thirds.flatMap((third) => hoursFrom(third, third + THIRD_SECONDS))
  const totals = `(SELECT ${sums} FROM dashboard__user_totals WHERE user_id = :userId AND created_at IN (${listOf(summed)})
    UNION ALL SELECT ${sums} FROM ${hoursBeside(thirds)}) AS totals`
  return { table, totals }
}

function hoursFrom(first: number, end: number): number[] {
  const count = Math.max(0, Math.ceil((end - first) / HOUR_SECONDS))
  return Array.from({ length: count }, (_, at) => first + at * HOUR_SECONDS)
}

/** `IN ()` is no SQL; `IN (NULL)` finds nothing. */
function listOf(times: readonly number[]): string {
  return times.length === 0 ? 'NULL' : times.join(', ')
}
