// What one user spent who has many rows of hour and model: from sums of thirds of days where there are some, from the hours elsewhere.
import type { DatabaseService } from '#core'
import { HOUR_SECONDS, THIRD_SECONDS } from './add-hours-sql.ts'
import { isSplit, type Span, type Step, type Summed, thirdsWithin } from './all-hours-sql.ts'

export interface UserSpan extends Span {
  userId: number
  /** Left out: whatever the user was called. */
  username: string | undefined
}

/** The thirds of days within the span that are summed for the user. */
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

/** Takes `:userId` and `:username`. @param thirds those that are summed */
export function sumsOfUser({ start, end, username }: UserSpan, thirds: readonly number[]): Summed {
  const ofUser = `user_id = :userId${username === undefined ? '' : ' AND username = :username'}`
  const hours = hoursFrom(Math.ceil(start / HOUR_SECONDS) * HOUR_SECONDS, end + 1)
  const hoursBeside = (whole: readonly number[]) => {
    const covered = new Set(whole)
    const rest = hours.filter((hour) => !covered.has(hour - (hour % THIRD_SECONDS)))
    return `dashboard__hours WHERE ${ofUser} AND created_at IN (${listOf(rest)})`
  }
  const sums = 'user_id, username, created_at, token_used, count, quota'
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

/** Of nothing there is nothing. */
function listOf(times: readonly number[]): string {
  return times.length === 0 ? 'NULL' : times.join(', ')
}
