// The users who spent most. Of all users only the sums that order them are made; the other figures are read for the
// first hundred. The span is made of whole days. At both ends either the missing hours are added or the surplus hours
// are subtracted, whichever are fewer; hours of today that are still to come count as none.
import type { DatabaseService } from '#core'
import { DAY_SECONDS, HOUR_SECONDS } from './add-hours-sql.ts'
import type { Span } from './all-hours-sql.ts'
import { sums, summedSince } from './hours-report.ts'
import type { UserRow } from './schema.ts'

const mostUsers = 100

export async function readSpenders(database: DatabaseService, span: Span): Promise<UserRow[]> {
  const { summedFrom } = await summedSince(database)
  const { days, edges } = daysOf(span, summedFrom, Math.floor(Date.now() / 1000))
  const hours = edges.map(hoursOfEdge)
  const ofEdges =
    hours.length === 0 ? 'dashboard__users WHERE FALSE' : `(${hours.join(' UNION ALL ')}) AS hours`
  const ofDays = 'dashboard__users WHERE created_at IN (:days)'
  // The sums that order users are doubles: PostgreSQL sums a million of those in two thirds of the time, and they are
  // exact up to 2^53.
  const spent = ['count', 'quota']
    .map((sum) => `SUM(CAST(${sum} AS DOUBLE PRECISION)) AS ${sum}`)
    .join(', ')
  // Each part is grouped by itself first, because that leaves few rows. A user whose hours are all subtracted is left
  // out.
  return database.select<UserRow>(
    `WITH edges AS MATERIALIZED (SELECT user_id, MAX(username) AS username, ${sums} FROM ${ofEdges} GROUP BY user_id),
     most AS MATERIALIZED (
       SELECT user_id, SUM(quota) AS quota FROM (
         SELECT user_id, ${spent} FROM ${ofDays} GROUP BY user_id UNION ALL SELECT user_id, count, quota FROM edges
       ) AS parts GROUP BY user_id HAVING SUM(quota) > 0 OR SUM(count) > 0 ORDER BY 2 DESC, user_id LIMIT ${mostUsers}
     )
     SELECT user_id, MAX(username) AS username, ${sums} FROM (
       SELECT ${columns} FROM ${ofDays} AND user_id IN (SELECT user_id FROM most)
       UNION ALL SELECT ${columns} FROM edges WHERE user_id IN (SELECT user_id FROM most)
     ) AS parts GROUP BY user_id ORDER BY 5 DESC, user_id`,
    { days },
  )
}

const columns = 'user_id, username, token_used, count, quota'

/** Hours at an end of the span: either hours that no whole day covers, or hours of a whole day that lie outside the
 *  span. */
interface Edge {
  from: number
  /** The first second after it. */
  to: number
  sign: '' | '-'
}

function hoursOfEdge({ from, to, sign }: Edge): string {
  const sums = ['token_used', 'count', 'quota'].map((sum) => `${sign}${sum} AS ${sum}`).join(', ')
  return `SELECT user_id, username, ${sums} FROM dashboard__hours WHERE created_at >= ${from} AND created_at < ${to}`
}

/** @returns the first second of each whole day, and the hours at both ends */
function daysOf(
  { start, end }: Span,
  summedFrom: number,
  now: number,
): { days: number[]; edges: Edge[] } {
  const first = Math.ceil(start / HOUR_SECONDS) * HOUR_SECONDS
  const behind = hourOf(end) + HOUR_SECONDS
  const only: Edge = { from: first, to: behind, sign: '' }
  if (behind - first < DAY_SECONDS) return { days: [], edges: [only] }
  const begin = edgeAt(first, now)
  const stop = edgeAt(behind, now)
  const from = begin < summedFrom ? summedFrom : begin
  if (from >= stop) return { days: [], edges: [only] }
  const days: number[] = []
  for (let day = from; day < stop; day += DAY_SECONDS) days.push(day)
  const edges = [between(first, from), between(stop, behind)]
  return { days, edges: edges.filter((edge) => edge.from < edge.to) }
}

/** The hours that are missing between two times, or, where `to` comes first, those that are too many. */
function between(from: number, to: number): Edge {
  return from < to ? { from, to, sign: '' } : { from: to, to: from, sign: '-' }
}

/** The start of the day, this one or the next, that is the fewest hours away from the given hour. */
function edgeAt(hour: number, now: number): number {
  const before = hour - (hour % DAY_SECONDS)
  const after = before + DAY_SECONDS
  const rest = Math.min(after, hourOf(now) + HOUR_SECONDS) - hour
  return rest < hour - before ? after : before
}

function hourOf(time: number): number {
  return time - (time % HOUR_SECONDS)
}
