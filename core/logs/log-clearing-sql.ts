// Old rows go slice by slice. Of days that go as a whole no sum is asked any more: what is left of them is read, until all is gone. In the
// day in which it ends, each slice takes with it what it was summed as. So the sums are true whatever breaks the work off. What plugins sum
// of the log is read before, up to the newest row that goes.
import type { Transaction } from 'sequelize'
import type { DeletionWatch } from '../contract/money-services.ts'
import type { DatabaseService } from '../contract/services.ts'
import {
  dropQuarters,
  type IdSpan,
  idSpan,
  lockProgress,
  type Progress,
  readProgress,
  withinIds,
} from './log-quarters-sql.ts'
import { dropPairs } from './log-pairs-sql.ts'
import type { LogReaders } from './log-readers.ts'
import { DAY_SECONDS } from './log-fold-sql.ts'
import { dropSums, stepBack, sumNewRows, type SumOptions, takeFromSums } from './log-sums-sql.ts'
import { SlicePace } from './slice-pace.ts'

const DELETED_AT_ONCE = { first: 500, least: 50, most: 5_000 }

export interface Deletion {
  timestampSeconds: number
  most: number
  readers: LogReaders
  watch: DeletionWatch
  settleMs?: number | undefined
}

/** The oldest first, `most` of them. @returns how many there were */
export async function deleteLogsBefore(
  database: DatabaseService,
  deletion: Deletion,
): Promise<number> {
  const { timestampSeconds, most, watch } = deletion
  const pace = new SlicePace(DELETED_AT_ONCE)
  let deleted = 0
  while (deleted < most && !watch.signal?.aborted) {
    const progress = await readProgress(database)
    const gone = await deleteOnce(database, { ...deletion, deleted, pace })
    deleted += gone
    if (watch.signal?.aborted) break
    // Old rows may come meanwhile: what is known of their days goes only where none was summed since the look that found none.
    if (gone === 0 && (await dropBefore(database, timestampSeconds, progress))) break
  }
  return deleted
}

interface Work extends Deletion {
  /** Before. */
  deleted: number
  pace: SlicePace
}

/** What there was to delete at the beginning. */
async function deleteOnce(
  database: DatabaseService,
  { timestampSeconds, most, readers, watch, settleMs, deleted, pace }: Work,
): Promise<number> {
  const span = await idSpan(database, { end: timestampSeconds - 1 })
  if (span === undefined) return 0
  const last = await lastToDelete(database, span, { settleMs, signal: watch.signal })
  await readers.readTo(last)
  let gone = 0
  for (let after = span.first - 1; deleted + gone < most && !watch.signal?.aborted; ) {
    const limit = Math.min(pace.rows, most - deleted - gone)
    const rest = { first: after + 1, last }
    const found = await lastOfSlice(database, rest, { limit, timestampSeconds })
    if (found === undefined) break
    const slice = { after, to: found.id, newest: found.newest, timestampSeconds, pace }
    gone += await pace.transaction(database, (transaction) =>
      deleteSlice(database, slice, transaction),
    )
    watch.onProgress?.(deleted + gone)
    after = found.id
  }
  return gone
}

/** Only rows that are summed are deleted, of which none below is on its way any more. */
async function lastToDelete(
  database: DatabaseService,
  { last = Infinity }: IdSpan,
  options: SumOptions,
): Promise<number> {
  if (last === Infinity) await sumNewRows(database, options)
  const { last_id: summed } = await readProgress(database)
  return Math.min(last, summed)
}

interface Slice {
  after: number
  to: number
  /** When the newest of its rows was written. */
  newest: number
  timestampSeconds: number
  pace: SlicePace
}

async function deleteSlice(
  database: DatabaseService,
  { newest, pace, ...slice }: Slice,
  transaction: Transaction,
): Promise<number> {
  const { last_id: summed, sums_from } = await lockProgress(database, transaction)
  pace.begin()
  const sumsFrom = Math.max(sums_from, lastDayBefore(slice.timestampSeconds))
  if (sumsFrom > sums_from) await askSumsFrom(database, sumsFrom, transaction)
  const where = 'id > :after AND id <= :to AND id <= :summed AND created_at < :timestampSeconds'
  if (newest >= sumsFrom) {
    const ofSums = `${where} AND created_at >= :sumsFrom`
    await takeFromSums(database, { where: ofSums, ...slice, summed, sumsFrom }, transaction)
  }
  const gone = await database.run(
    `DELETE FROM logs WHERE ${where}`,
    { ...slice, summed },
    transaction,
  )
  await stepBack(database, slice.to, transaction)
  return gone
}

/** The beginning of the day in which deleting ends: of no later one than today, for what is to come will be summed. */
function lastDayBefore(timestampSeconds: number): number {
  const end = Math.min(timestampSeconds, Math.floor(Date.now() / 1000))
  return end - (end % DAY_SECONDS)
}

async function askSumsFrom(
  database: DatabaseService,
  sumsFrom: number,
  transaction: Transaction,
): Promise<void> {
  await database.run('UPDATE log_progress SET sums_from = :sumsFrom', { sumsFrom }, transaction)
}

/** Read before the transaction, so that nobody waits for it. */
async function lastOfSlice(
  database: DatabaseService,
  span: IdSpan,
  { limit, timestampSeconds }: { limit: number; timestampSeconds: number },
): Promise<{ id: number; newest: number } | undefined> {
  const { conditions, values } = withinIds(span)
  const [last] = await database.select<{ id: number | null; newest: number }>(
    `SELECT MAX(id) AS id, MAX(created_at) AS newest FROM (
       SELECT id, created_at FROM logs WHERE ${conditions.join(' AND ')} AND created_at < :timestampSeconds ORDER BY id LIMIT :limit
     ) AS slice`,
    { ...values, timestampSeconds, limit },
  )
  return last === undefined || last.id === null ? undefined : { id: last.id, newest: last.newest }
}

/** What is known of a time of which nothing is left. @returns false where the log was summed meanwhile */
async function dropBefore(
  database: DatabaseService,
  timestampSeconds: number,
  { last_id: summed, sums_from: sumsFrom }: Progress,
): Promise<boolean> {
  const unlessSummed = (work: (transaction: Transaction) => Promise<void>) =>
    database.transaction(async (transaction) => {
      if ((await lockProgress(database, transaction)).last_id !== summed) return false
      await work(transaction)
      return true
    })
  const areGone = await unlessSummed((transaction) =>
    dropQuarters(database, timestampSeconds, transaction),
  )
  if (!areGone) return false
  await dropSums(database, { timestampSeconds, sumsFrom })
  await dropPairs(database)
  // A clearing up to a later time may be at work, or may have been broken off.
  if (sumsFrom > timestampSeconds) return true
  return unlessSummed((transaction) => askSumsFrom(database, 0, transaction))
}

/** SQLite gives the ids of deleted newest rows anew; a reader that has seen fewer such cuts than there were has read up to `after` at the most. */
export interface LogCuts {
  count: number
  /** The newest id that was left by the last one. */
  after: number
}

/** In the transaction in which a reader moves on. */
export async function logCuts(
  database: DatabaseService,
  transaction: Transaction,
): Promise<LogCuts> {
  const [cuts] = await database.select<LogCuts>(
    'SELECT cut_count AS count, cut_id AS after FROM log_progress WHERE id = 1',
    {},
    transaction,
  )
  return cuts ?? { count: 0, after: 0 }
}
