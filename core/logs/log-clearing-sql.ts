// Old rows go slice by slice. Of days that go as a whole no sum is asked any more: what is left of them is read, until all is gone. In the
// day in which it ends, each slice takes with it what it was summed as. So the sums are true whatever breaks the work off. What plugins sum
// of the log is read before, up to the newest row that goes.
import type { DeletionWatch } from '../contract/money-services.ts'
import type { DatabaseService, Slices, TransactionStatements } from '../contract/services.ts'
import {
  dropQuarters,
  type IdSpan,
  idSpan,
  lockProgress,
  type Progress,
  readProgress,
  withinIds,
} from './log-quarters-sql.ts'
import { noteDeleted } from './log-pair-counts-sql.ts'
import { dropPairs } from './log-pairs-sql.ts'
import type { LogReaders } from './log-readers.ts'
import { DAY_SECONDS } from './log-fold-sql.ts'
import { dropSums, stepBack, sumNewRows, type SumOptions, takeFromSums } from './sum-logs-sql.ts'

const DELETED_AT_ONCE = { first: 500, least: 50, most: 5_000 }
/** Of a work that is one slice. */
const ALONE = { first: 1, least: 1, most: 1 }

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
  const slices = database.slices(DELETED_AT_ONCE)
  let deleted = 0
  while (deleted < most && !watch.signal?.aborted) {
    const progress = await readProgress(database)
    const gone = await deleteOnce(database, { ...deletion, deleted, slices })
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
  slices: Slices
}

/** What there was to delete at the beginning. */
async function deleteOnce(
  database: DatabaseService,
  { timestampSeconds, most, readers, watch, settleMs, deleted, slices }: Work,
): Promise<number> {
  const span = await idSpan(database, { end: timestampSeconds - 1 })
  if (span === undefined) return 0
  const last = await lastToDelete(database, span, { settleMs, signal: watch.signal })
  await readers.readTo(last)
  let gone = 0
  for (let after = span.first - 1; deleted + gone < most && !watch.signal?.aborted; ) {
    const limit = Math.min(slices.rows, most - deleted - gone)
    const rest = { first: after + 1, last }
    const found = await lastOfSlice(database, rest, { limit, timestampSeconds })
    if (found === undefined) break
    const slice = { after, to: found.id, newest: found.newest, timestampSeconds }
    gone += await slices.take((statements) => deleteSlice(statements, slice))
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
}

async function deleteSlice(
  statements: TransactionStatements,
  { newest, ...slice }: Slice,
): Promise<number> {
  const { last_id: summed, sums_from } = await lockProgress(statements)
  const sumsFrom = Math.max(sums_from, lastDayBefore(slice.timestampSeconds))
  if (sumsFrom > sums_from) await askSumsFrom(statements, sumsFrom)
  const where = 'id > :after AND id <= :to AND id <= :summed AND created_at < :timestampSeconds'
  if (newest >= sumsFrom) {
    const ofSums = `${where} AND created_at >= :sumsFrom`
    await takeFromSums(statements, { where: ofSums, ...slice, summed, sumsFrom })
  }
  const gone = await statements.run(`DELETE FROM logs WHERE ${where}`, { ...slice, summed })
  if (gone > 0) await noteDeleted(statements, slice.to)
  await stepBack(statements, slice.to)
  return gone
}

/** The beginning of the day in which deleting ends: of no later one than today, for what is to come will be summed. */
function lastDayBefore(timestampSeconds: number): number {
  const end = Math.min(timestampSeconds, Math.floor(Date.now() / 1000))
  return end - (end % DAY_SECONDS)
}

async function askSumsFrom(statements: TransactionStatements, sumsFrom: number): Promise<void> {
  await statements.run('UPDATE log_progress SET sums_from = :sumsFrom', { sumsFrom })
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
  const slices = database.slices(ALONE)
  const unlessSummed = (work: (statements: TransactionStatements) => Promise<void>) =>
    slices.take(async (statements) => {
      if ((await lockProgress(statements)).last_id !== summed) return false
      await work(statements)
      return true
    })
  const areGone = await unlessSummed((statements) => dropQuarters(statements, timestampSeconds))
  if (!areGone) return false
  await dropSums(database, { timestampSeconds, sumsFrom })
  await dropPairs(database)
  // A clearing up to a later time may be at work, or may have been broken off.
  if (sumsFrom > timestampSeconds) return true
  return unlessSummed((statements) => askSumsFrom(statements, 0))
}

/** SQLite gives the ids of deleted newest rows anew; a reader that has seen fewer such cuts than there were has read up to `after` at the most. */
export interface LogCuts {
  count: number
  /** The newest id that was left by the last one. */
  after: number
}

/** In the transaction in which a reader moves on. */
export async function logCuts(statements: TransactionStatements): Promise<LogCuts> {
  const [cuts] = await statements.select<LogCuts>(
    'SELECT cut_count AS count, cut_id AS after FROM log_progress WHERE id = 1',
    {},
  )
  return cuts ?? { count: 0, after: 0 }
}
