// Stores, for each quarter of an hour, the ids of its rows and their sums. With the ids a span of time becomes a span
// of ids, by which every index of the log ends. Quarters, because in some time zones a day begins at a quarter of an
// hour.
import { CHANNEL_TEST, logType } from '../contract/constants.ts'
import type { DatabaseService, TransactionStatements } from '../contract/services.ts'
import { rowLock } from '../data/row-lock-sql.ts'

export const QUARTER_SECONDS = 900
/** On PostgreSQL a row may be committed after a row with a higher id was summed, so a span of ids is widened by this number. */
export const ID_SLACK = 1_000

export interface TimeSpan {
  start?: number | undefined
  /** The last second of the span. */
  end?: number | undefined
}

/** Contains the ids of all rows of a span of time, and possibly ids of other rows. */
export interface IdSpan {
  first: number
  /** Undefined if there may be rows that are not summed yet. */
  last: number | undefined
}

/** Rows of the log, by a condition and its values. */
export interface SummedRows {
  where: string
  [value: string]: string | number
}

export const isNoTest = `NOT (token_id = 0 AND token_name = '${CHANNEL_TEST}')`
/** Consumption without tests of channels. */
export const isSpend = `type = ${logType.consume} AND ${isNoTest}`
/** The newest summed id. */
export const summedId = '(SELECT last_id FROM log_progress WHERE id = 1)'
/** The plus sign keeps SQLite from using this condition to choose an index: it is combined with a narrower bound of
 *  ids, and of the two SQLite might choose the wider one. */
export const isSummed = `+id <= ${summedId}`

const sumOf = (condition: string, value: string) =>
  `CAST(SUM(CASE WHEN ${condition} THEN ${value} ELSE 0 END) AS BIGINT)`
const sums = `${sumOf(isSpend, 'quota')} AS quota, ${sumOf(isSpend, '1')} AS calls,
  ${sumOf(`type = ${logType.error} AND ${isNoTest}`, '1')} AS errors`

export interface Progress {
  /** The newest summed id as a number: if a statement reads it by itself, PostgreSQL does not know how few rows follow. */
  last_id: number
  /** While old rows are deleted: the beginning of a day, before which the sums do not hold. */
  sums_from: number
  /** How often the newest rows were deleted, whose ids SQLite reuses. */
  cut_count: number
  /** Up to which row requests are found by blocks. */
  requests_to: number
}

const selectProgress =
  'SELECT last_id, sums_from, cut_count, requests_to FROM log_progress WHERE id = 1'
const noProgress: Progress = { last_id: 0, sums_from: 0, cut_count: 0, requests_to: 0 }

export async function readProgress(database: DatabaseService): Promise<Progress> {
  const [progress] = await database.select<Progress>(selectProgress)
  return progress ?? noProgress
}

/** Until the end of the transaction nobody else can sum. */
export async function lockProgress(statements: TransactionStatements): Promise<Progress> {
  const [progress] = await statements.select<Progress>(
    `${selectProgress} ${rowLock(statements)}`,
    {},
  )
  return progress ?? noProgress
}

export async function lastSummed(database: DatabaseService): Promise<number> {
  return (await readProgress(database)).last_id
}

/** The ids that contain all rows of a span; undefined if it has none. */
export async function idSpan(
  database: DatabaseService,
  { start = 0, end = Number.MAX_SAFE_INTEGER }: TimeSpan,
): Promise<IdSpan | undefined> {
  const summed = await lastSummed(database)
  const [found] = await database.select<{
    first: number | null
    last: number | null
    more: boolean | number
  }>(
    `SELECT MIN(first_id) AS first, MAX(last_id) AS last,
       EXISTS (SELECT 1 FROM logs WHERE id > :summed AND created_at >= :start AND created_at <= :end) AS more
     FROM log_quarters WHERE start_at >= :from AND start_at <= :end`,
    { start, end, summed, from: start - (start % QUARTER_SECONDS) },
  )
  const { first = null, last = null, more = false } = found ?? {}
  if (first === null && !more) return undefined
  return {
    first: Math.min(first ?? summed + 1, more ? summed + 1 : Infinity) - ID_SLACK,
    last: more || last === null ? undefined : last + ID_SLACK,
  }
}

/** Ids between which every summed row belongs to the span. */
export async function idsInside(
  database: DatabaseService,
  { start = 0, end = Number.MAX_SAFE_INTEGER }: TimeSpan,
): Promise<{ first: number; last: number }> {
  const [found] = await database.select<{ before: number | null; behind: number | null }>(
    `SELECT (SELECT MAX(last_id) FROM log_quarters WHERE start_at < :start) AS before,
       (SELECT MIN(first_id) FROM log_quarters WHERE start_at > :lastQuarter) AS behind`,
    { start, lastQuarter: end + 1 - QUARTER_SECONDS },
  )
  return {
    first: found?.before == null ? 0 : found.before + ID_SLACK + 1,
    last: found?.behind == null ? Number.MAX_SAFE_INTEGER : found.behind - ID_SLACK - 1,
  }
}

/** The span as conditions; `name` makes the names of its values unique. */
export function withinIds(
  { first, last }: IdSpan,
  name = 'span',
): { conditions: string[]; values: Record<string, number> } {
  return {
    conditions: [`id >= :${name}First`, ...(last === undefined ? [] : [`id <= :${name}Last`])],
    values: { [`${name}First`]: first, ...(last === undefined ? {} : { [`${name}Last`]: last }) },
  }
}

/** Below it no row is left; 0: of a log without rows. */
export async function oldestId(database: DatabaseService): Promise<number> {
  // PostgreSQL walks what it has deleted until that is vacuumed: a second for a million rows. Quarters know where to begin.
  const [known] = await database.select<{ id: number | null }>(
    'SELECT MIN(first_id) AS id FROM log_quarters',
  )
  const from = (known?.id ?? 0) - ID_SLACK
  const [log] = await database.select<{ id: number | null }>(
    'SELECT MIN(id) AS id FROM logs WHERE id >= :from',
    { from },
  )
  return log?.id ?? 0
}

/** Deletes the quarters that have no rows left. */
export async function dropQuarters(
  statements: TransactionStatements,
  timestampSeconds: number,
): Promise<void> {
  await statements.run(
    `DELETE FROM log_quarters WHERE start_at <= :timestampSeconds - ${QUARTER_SECONDS}`,
    { timestampSeconds },
  )
}

export interface HourSums {
  quota: number
  calls: number
  errors: number
}

interface HourRow extends HourSums {
  hour: number
}

/** What everybody spent, by the beginning of the hour. `start` and `end` (exclusive) are beginnings of quarters. */
export async function hoursOfAll(
  database: DatabaseService,
  { start, end }: { start: number; end: number },
): Promise<Map<number, HourSums>> {
  const { last_id: summed, sums_from: sumsFrom } = await readProgress(database)
  const inSpan = (time: string) => `${time} >= :start AND ${time} < :end`
  const hour = (time: string) => `${time} - (${time} - :start) % 3600`
  const ofRows = `SELECT ${hour('created_at')} AS hour, ${sums} FROM logs WHERE ${inSpan('created_at')}`
  const unsummed = `${ofRows} AND id > :summed AND id > ${summedId}`
  const old = start < sumsFrom ? await idSpan(database, { start, end: sumsFrom - 1 }) : undefined
  const { conditions, values } = old === undefined ? none : withinIds(old)
  const inIds = [isSummed, 'created_at < :sumsFrom', ...conditions].join(' AND ')
  const rows = await database.select<HourRow>(
    `SELECT hour, CAST(SUM(quota) AS BIGINT) AS quota, CAST(SUM(calls) AS BIGINT) AS calls, CAST(SUM(errors) AS BIGINT) AS errors
     FROM (
       SELECT ${hour('start_at')} AS hour, quota, calls, errors FROM log_quarters WHERE ${inSpan('start_at')} AND start_at >= :sumsFrom
       UNION ALL ${unsummed} GROUP BY 1
       ${old === undefined ? '' : `UNION ALL ${ofRows} AND ${inIds} GROUP BY 1`}
     ) AS parts GROUP BY hour`,
    { start, end, summed, sumsFrom, ...values },
  )
  return new Map(rows.map(({ hour, ...sums }) => [hour, sums]))
}

const none = { conditions: [], values: {} }
