// The log by quarters of an hour: the ids of the rows of each, so that a span of time is a span of ids, in which every index of the log
// ends; and what they add up to. A quarter, for the day of no time zone begins between two.
import type { Transaction } from 'sequelize'
import { CHANNEL_TEST, logType } from '../contract/constants.ts'
import type { DatabaseService } from '../contract/services.ts'

export const QUARTER_SECONDS = 900
/** On PostgreSQL a row may come after one of a higher id was summed: so many ids beside a span are looked at as well. */
const ID_SLACK = 1_000

export interface TimeSpan {
  start?: number | undefined
  /** The last second that belongs to it. */
  end?: number | undefined
}

/** Every row of a span of time has an id in it; not every id in it is of such a row. */
export interface IdSpan {
  first: number
  /** Undefined: rows come that are not summed yet. */
  last: number | undefined
}

const isNoTest = `NOT (token_id = 0 AND token_name = '${CHANNEL_TEST}')`
/** Consumption, for tests of channels are no spend. */
export const isSpend = `type = ${logType.consume} AND ${isNoTest}`
/** How far the log has been summed. */
export const summedId = '(SELECT last_id FROM log_progress WHERE id = 1)'

const sumOf = (condition: string, value: string) =>
  `CAST(SUM(CASE WHEN ${condition} THEN ${value} ELSE 0 END) AS BIGINT)`
const sums = `${sumOf(isSpend, 'quota')} AS quota, ${sumOf(isSpend, '1')} AS calls,
  ${sumOf(`type = ${logType.error} AND ${isNoTest}`, '1')} AS errors`

/** Adds rows that have not been added before. */
export async function addQuarters(
  database: DatabaseService,
  { where, ...values }: { where: string; [value: string]: string | number },
  transaction: Transaction,
): Promise<void> {
  await database.run(
    `INSERT INTO log_quarters (start_at, first_id, last_id, quota, calls, errors)
     SELECT created_at - created_at % ${QUARTER_SECONDS}, MIN(id), MAX(id), ${sums}
     FROM logs WHERE ${where} GROUP BY 1
     ON CONFLICT (start_at) DO UPDATE SET
       first_id = CASE WHEN excluded.first_id < log_quarters.first_id THEN excluded.first_id ELSE log_quarters.first_id END,
       last_id = CASE WHEN excluded.last_id > log_quarters.last_id THEN excluded.last_id ELSE log_quarters.last_id END,
       quota = log_quarters.quota + excluded.quota, calls = log_quarters.calls + excluded.calls,
       errors = log_quarters.errors + excluded.errors`,
    values,
    transaction,
  )
}

/** How far it had been, as a number: of a statement that asks for it itself, PostgreSQL does not know how few rows it reads. */
export async function lastSummed(
  database: DatabaseService,
  transaction?: Transaction,
): Promise<number> {
  const [progress] = await database.select<{ summed: number | null }>(
    `SELECT ${summedId} AS summed`,
    {},
    transaction,
  )
  return progress?.summed ?? 0
}

/** Where the rows of a span are; undefined when it has none. */
export async function idSpan(
  database: DatabaseService,
  { start = 0, end = Number.MAX_SAFE_INTEGER }: TimeSpan,
  transaction?: Transaction,
): Promise<IdSpan | undefined> {
  const summed = await lastSummed(database, transaction)
  const [found] = await database.select<{
    first: number | null
    last: number | null
    more: boolean | number
  }>(
    `SELECT MIN(first_id) AS first, MAX(last_id) AS last,
       EXISTS (SELECT 1 FROM logs WHERE id > :summed AND created_at >= :start AND created_at <= :end) AS more
     FROM log_quarters WHERE start_at >= :from AND start_at <= :end`,
    { start, end, summed, from: start - (start % QUARTER_SECONDS) },
    transaction,
  )
  const { first = null, last = null, more = false } = found ?? {}
  if (first === null && !more) return undefined
  return {
    first: Math.min(first ?? summed + 1, more ? summed + 1 : Infinity) - ID_SLACK,
    last: more || last === null ? undefined : last + ID_SLACK,
  }
}

/** As conditions; `name` tells the values of two of them apart. */
export function withinIds(
  { first, last }: IdSpan,
  name = 'span',
): { conditions: string[]; values: Record<string, number> } {
  return {
    conditions: [`id >= :${name}First`, ...(last === undefined ? [] : [`id <= :${name}Last`])],
    values: { [`${name}First`]: first, ...(last === undefined ? {} : { [`${name}Last`]: last }) },
  }
}

/** Before rows older than a time are deleted: what stays of them is where they are, until they are gone. */
export async function emptyQuarters(
  database: DatabaseService,
  timestampSeconds: number,
  transaction: Transaction,
): Promise<void> {
  await database.run(
    'UPDATE log_quarters SET quota = 0, calls = 0, errors = 0 WHERE start_at < :timestampSeconds',
    { timestampSeconds },
    transaction,
  )
}

/** Whether there is anything to empty. */
export async function hasSumsBefore(
  database: DatabaseService,
  timestampSeconds: number,
): Promise<boolean> {
  const rows = await database.select(
    `SELECT 1 AS "row" FROM log_quarters WHERE start_at <= :timestampSeconds - ${QUARTER_SECONDS}
       AND (calls > 0 OR errors > 0 OR quota <> 0) LIMIT 1`,
    { timestampSeconds },
  )
  return rows.length > 0
}

/** When they are gone. */
export async function dropQuarters(
  database: DatabaseService,
  timestampSeconds: number,
): Promise<void> {
  await database.run(
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

/** What everybody spent, by the hour's beginning. `start` and `end`, the first second behind, are whole quarters. */
export async function hoursOfAll(
  database: DatabaseService,
  { start, end }: { start: number; end: number },
): Promise<Map<number, HourSums>> {
  const summed = await lastSummed(database)
  const inSpan = (time: string) => `${time} >= :start AND ${time} < :end`
  const hour = (time: string) => `${time} - (${time} - :start) % 3600`
  const rows = await database.select<HourRow>(
    `SELECT hour, CAST(SUM(quota) AS BIGINT) AS quota, CAST(SUM(calls) AS BIGINT) AS calls, CAST(SUM(errors) AS BIGINT) AS errors
     FROM (
       SELECT ${hour('start_at')} AS hour, quota, calls, errors FROM log_quarters WHERE ${inSpan('start_at')}
       UNION ALL
       SELECT ${hour('created_at')} AS hour, ${sums} FROM logs
       WHERE id > :summed AND id > ${summedId} AND ${inSpan('created_at')} GROUP BY 1
     ) AS parts GROUP BY hour`,
    { start, end, summed },
  )
  return new Map(rows.map(({ hour, ...sums }) => [hour, sums]))
}
