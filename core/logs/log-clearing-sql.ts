// Deletes old rows in slices, so that the sums stay right wherever the work is interrupted. Days that are deleted
// completely are no longer answered from sums: what is left of them is read from the log until it is gone. On the day
// at which the deletion ends, each slice is subtracted from the sums it was added to. Before anything is deleted,
// plugins get to read the rows that they sum for themselves.
import type { DeletionWatch } from '../contract/money-services.ts'
import type { DatabaseService, Slices, TransactionStatements } from '../contract/services.ts'
import {
  dropQuarters,
  type IdSpan,
  idSpan,
  lockProgress,
  oldestId,
  type Progress,
  readProgress,
  withinIds,
} from './log-quarters-sql.ts'
import { noteDeleted } from './log-pair-counts-sql.ts'
import { dropPairs } from './log-pairs-sql.ts'
import { dropRequestBlocks } from './log-request-blocks-sql.ts'
import type { LogReaders } from './log-readers.ts'
import { DAY_SECONDS } from './log-fold-sql.ts'
import {
  dropSums,
  stepBack,
  sumNewRows,
  type SumOptions,
  takeFromSums,
} from './sum-new-logs-sql.ts'

const DELETED_AT_ONCE = { first: 500, least: 50, most: 5_000 }
/** For work that is a single slice. */
const ALONE = { first: 1, least: 1, most: 1 }

export interface Deletion {
  timestampSeconds: number
  most: number
  readers: LogReaders
  watch: DeletionWatch
  settleMs?: number | undefined
}

/** Deletes the oldest rows, at most `most`. @returns how many were deleted */
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
    // Old rows may be written meanwhile. What is known about their days is dropped only if none has been summed since
    // the look that found none.
    if (gone === 0 && (await dropBefore(database, timestampSeconds, progress))) break
  }
  return deleted
}

interface Work extends Deletion {
  /** How many rows were deleted before this round. */
  deleted: number
  slices: Slices
}

/** Deletes the rows that exist when it begins. */
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

/** The newest id that may be deleted: only summed rows are deleted, because below them no row can still be uncommitted. */
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
  /** When the newest row of the slice was written. */
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

/** The beginning of the day at which the deletion ends, but not later than today, since later rows will still be summed. */
function lastDayBefore(timestampSeconds: number): number {
  const end = Math.min(timestampSeconds, Math.floor(Date.now() / 1000))
  return end - (end % DAY_SECONDS)
}

async function askSumsFrom(statements: TransactionStatements, sumsFrom: number): Promise<void> {
  await statements.run('UPDATE log_progress SET sums_from = :sumsFrom', { sumsFrom })
}

/** Read before the transaction, so that nobody waits for the query. */
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

/** Drops what is known about a time that has no rows left. @returns false if the log was summed in the meantime */
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
  const firstId = await oldestId(database)
  await dropPairs(database, firstId)
  await dropRequestBlocks(database, firstId)
  // A deletion up to a later time may be running, or may have been interrupted.
  if (sumsFrom > timestampSeconds) return true
  return unlessSummed((statements) => askSumsFrom(statements, 0))
}

/** SQLite reuses the ids of the newest rows when they are deleted. A reader that has seen fewer such cuts than there
 *  were can be sure only of rows up to `after`. */
export interface LogCuts {
  count: number
  /** The newest id that the last cut left. */
  after: number
}

/** Read in the transaction in which a reader stores its position. */
export async function logCuts(statements: TransactionStatements): Promise<LogCuts> {
  const [cuts] = await statements.select<LogCuts>(
    'SELECT cut_count AS count, cut_id AS after FROM log_progress WHERE id = 1',
    {},
  )
  return cuts ?? { count: 0, after: 0 }
}
