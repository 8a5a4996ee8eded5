// Who spent most. Only the sums that order the customers are made for all fifty thousand of them; all else is asked of a hundred.
import type { DatabaseService } from '#core'
import { DAY_SECONDS, HOUR_SECONDS } from './add-hours-sql.ts'
import type { Span } from './all-hours-sql.ts'
import type { UserRow } from './schema.ts'
import { type Part, partsOf, timesOf, type Unit } from './span-parts.ts'
import { namedSums, signedSums, sumColumns } from './sums-sql.ts'
import { BLOCK_DAYS } from './user-blocks-sql.ts'

const mostUsers = 100

interface SummedUnit extends Unit {
  /** The rows of these beginnings, as FROM and WHERE. */
  rows(times: readonly number[]): string
}

export async function readSpenders(database: DatabaseService, span: Span): Promise<UserRow[]> {
  const first = Math.ceil(span.start / HOUR_SECONDS) * HOUR_SECONDS
  const range = { from: first, to: hourOf(span.end) + HOUR_SECONDS }
  const parts = partsOf(range, await unitsOf(database), Math.floor(Date.now() / 1000))
  const ofHours = parts.filter(({ unit }) => unit.seconds === HOUR_SECONDS)
  const others = parts.filter(({ unit }) => unit.seconds !== HOUR_SECONDS)
  const hours = ofHours.map((part) => `SELECT ${signed(part)} FROM ${rowsOf(part)}`)
  const edges =
    hours.length === 0 ? 'dashboard__users WHERE FALSE' : `(${hours.join(' UNION ALL ')}) AS hours`
  const many = others.map((part) => `SELECT user_id, ${order(part)} FROM ${rowsOf(part)}`)
  const few = others.map(
    (part) =>
      `SELECT ${signed(part)} FROM ${rowsOf(part)} AND user_id IN (SELECT user_id FROM most)`,
  )
  // A user whose hours are all subtracted is left out.
  return database.select<UserRow>(
    `WITH edges AS MATERIALIZED (SELECT user_id, MAX(username) AS username, ${namedSums} FROM ${edges} GROUP BY user_id),
     most AS MATERIALIZED (
       SELECT user_id, SUM(quota) AS quota FROM (
         ${[...many, 'SELECT user_id, count, quota FROM edges'].join(' UNION ALL ')}
       ) AS parts GROUP BY user_id HAVING SUM(quota) > 0 OR SUM(count) > 0 ORDER BY 2 DESC, user_id LIMIT ${mostUsers}
     )
     SELECT user_id, MAX(username) AS username, ${namedSums} FROM (
       ${[...few, `SELECT ${columns.join(', ')} FROM edges WHERE user_id IN (SELECT user_id FROM most)`].join(' UNION ALL ')}
     ) AS parts GROUP BY user_id ORDER BY 5 DESC, user_id`,
  )
}

const columns = ['user_id', 'username', ...sumColumns] as const

function signed({ sign }: Part<Unit>): string {
  return ['user_id', 'username', ...signedSums(sign)].join(', ')
}

/** The sums by which customers are sorted, as doubles: PostgreSQL takes two thirds of the time for them, and they are exact up to 2^53. */
function order({ sign }: Part<Unit>): string {
  const minus = sign === 1 ? '' : '-'
  return ['count', 'quota']
    .map((sum) => `${minus}CAST(${sum} AS DOUBLE PRECISION) AS ${sum}`)
    .join(', ')
}

function rowsOf(part: Part<SummedUnit>): string {
  return part.unit.rows(timesOf(part))
}

/** Blocks of days, days and hours. */
async function unitsOf(database: DatabaseService): Promise<SummedUnit[]> {
  const [progress] = await database.select<{ summed_from: number; blocks_to: number }>(
    `SELECT summed_from, CASE WHEN user_blocks_id = last_id THEN user_blocks_to ELSE 0 END AS blocks_to
     FROM dashboard__progress WHERE id = 1`,
  )
  const blocks = BLOCK_DAYS.map((days) => ({
    seconds: days * DAY_SECONDS,
    from: 0,
    to: progress?.blocks_to ?? 0,
    rows: (times: readonly number[]) =>
      `dashboard__user_blocks WHERE days = ${days} AND created_at IN (${times.join(', ')})`,
  }))
  const days = {
    seconds: DAY_SECONDS,
    from: progress?.summed_from ?? 0,
    to: Infinity,
    rows: (times: readonly number[]) =>
      `dashboard__users WHERE created_at IN (${times.join(', ')})`,
  }
  const hours = {
    seconds: HOUR_SECONDS,
    from: 0,
    to: Infinity,
    rows: ([first = 0, ...others]: readonly number[]) =>
      `dashboard__hours WHERE created_at >= ${first} AND created_at < ${(others.at(-1) ?? first) + HOUR_SECONDS}`,
  }
  return [...blocks.toReversed(), days, hours]
}

function hourOf(time: number): number {
  return time - (time % HOUR_SECONDS)
}
