// The job that sums the log: each row once, in the order of ids. Deleted rows are subtracted again.
import { setTimeout as pause } from 'node:timers/promises'
import type { DatabaseService, TransactionStatements } from '../contract/services.ts'
import { type KindName, kindNames, LogFold } from './log-fold-sql.ts'
import {
  forgetPairsBehind,
  LIMITS,
  type PairLimits,
  pairNewLogs,
  pairSummed,
} from './log-pairs-sql.ts'
import { blockNewRequests } from './log-request-blocks-sql.ts'
import { lockProgress, type Progress, readProgress, type SummedRows } from './log-quarters-sql.ts'

/** Limits the rows that are read, and the sums that are written, for one transaction: settlements and deletions wait
 *  for it. Many rows usually make few sums. */
const MOST_ROWS = 50_000
const WRITTEN_AT_ONCE = {
  sqlite: { first: 10_000, least: 2_000, most: 20_000 },
  // Writing a sum costs as much as folding twenty rows, so each transaction takes many rows; on PostgreSQL only deletions wait for it.
  postgres: { first: 50_000, least: 50_000, most: 50_000 },
} as const
const DROPPED_AT_ONCE = { first: 1_000, least: 100, most: 20_000 }
/** PostgreSQL assigns ids before it commits: for this time a row may still be missing below the newest one. */
const ON_THEIR_WAY_MS = 5_000

export interface SumOptions {
  signal?: AbortSignal | undefined
  settleMs?: number | undefined
  rowsAtOnce?: number
  pairLimits?: PairLimits
}

/** Sums the rows that are new since the last run, updates the pairs, and notes where requests are. Two runs at once count nothing twice. */
export async function sumNewLogs(
  database: DatabaseService,
  options: SumOptions = {},
): Promise<void> {
  await sumNewRows(database, options)
  await pairNewLogs(database, { signal: options.signal, limits: options.pairLimits })
  await blockNewRequests(database, options.signal)
}

/** Reads rows before the transaction that writes their sums. They cannot be deleted in between, since only summed rows are. */
export async function sumNewRows(
  database: DatabaseService,
  {
    signal,
    settleMs = ON_THEIR_WAY_MS,
    rowsAtOnce = MOST_ROWS,
    pairLimits: limits = LIMITS,
  }: SumOptions = {},
): Promise<void> {
  const [newest] = await database.select<{ id: number | null }>('SELECT MAX(id) AS id FROM logs')
  const end = newest?.id ?? 0
  if (database.dialect === 'postgres' && settleMs > 0) {
    await pause(settleMs, undefined, { signal, ref: false })
  }
  const slices = database.slices(WRITTEN_AT_ONCE[database.dialect])
  while (!signal?.aborted) {
    const from = await readProgress(database)
    const most = { rows: rowsAtOnce, sums: slices.rows }
    const { block } = limits
    const fold = await LogFold.following(database, { last: from.last_id, end, most, block })
    if (fold.rows === 0) return
    await slices.take((statements) => write(statements, { from, fold, limits }))
  }
}

async function write(
  statements: TransactionStatements,
  { from, fold, limits }: { from: Progress; fold: LogFold; limits: PairLimits },
): Promise<void> {
  const now = await lockProgress(statements)
  // Another run has summed these rows, or rows that were read are gone.
  if (now.last_id !== from.last_id || now.cut_count !== from.cut_count) return
  const rows = { last: from.last_id, to: fold.lastId }
  await statements.run('UPDATE log_progress SET last_id = :to WHERE id = 1', rows)
  await fold.add(statements)
  await pairSummed(statements, fold.grouped, { ...rows, limits })
}

/** Subtracts summed rows that are about to be deleted. */
export async function takeFromSums(
  statements: TransactionStatements,
  rows: SummedRows,
): Promise<void> {
  const fold = new LogFold()
  await fold.read(statements, rows)
  await fold.take(statements)
}

/** Deletes, in slices, the sums from before `sumsFrom`, which are not used any more, and empty sums of a time that has no rows left. */
export async function dropSums(
  database: DatabaseService,
  { timestampSeconds: before, sumsFrom }: { timestampSeconds: number; sumsFrom: number },
): Promise<void> {
  const slices = database.slices(DROPPED_AT_ONCE)
  for (const name of kindNames) {
    for (let after: Place = { subject: '', start_at: -1 }; ; ) {
      const to = await lastOfSlice(database, { name, before, sumsFrom, after }, slices.rows)
      if (to === undefined) break
      const slice = { name, before, sumsFrom, after, to }
      await slices.take((statements) => dropSlice(statements, slice))
      after = to
    }
  }
}

/** The position of a sum in its kind, in the order of the key. */
interface Place {
  subject: string
  start_at: number
}

interface Slice {
  name: KindName
  before: number
  sumsFrom: number
  after: Place
  to: Place
}

const isDropped = `kind = :name AND (subject, start_at) > (:subject, :startAt)
  AND start_at < :before AND (start_at < :sumsFrom OR quota = 0)`

/** Read before the transaction, so that nobody waits for the query. */
async function lastOfSlice(
  database: DatabaseService,
  { after, ...slice }: Omit<Slice, 'to'>,
  limit: number,
): Promise<Place | undefined> {
  const [last] = await database.select<Place>(
    `SELECT subject, start_at FROM (
       SELECT subject, start_at FROM log_sums WHERE ${isDropped} ORDER BY subject, start_at LIMIT :limit
     ) AS slice ORDER BY subject DESC, start_at DESC LIMIT 1`,
    { ...slice, subject: after.subject, startAt: after.start_at, limit },
  )
  return last
}

async function dropSlice(
  statements: TransactionStatements,
  { after, to, ...slice }: Slice,
): Promise<void> {
  await statements.run(
    `DELETE FROM log_sums WHERE ${isDropped} AND (subject, start_at) <= (:toSubject, :toStartAt)`,
    {
      ...slice,
      subject: after.subject,
      startAt: after.start_at,
      toSubject: to.subject,
      toStartAt: to.start_at,
    },
  )
}

/** SQLite reuses the ids of deleted newest rows, so these ids must count as not summed. Called in the transaction that
 *  deletes them. @param to the newest deleted id */
export async function stepBack(statements: TransactionStatements, to: number): Promise<void> {
  if (statements.dialect === 'postgres') return
  const [log] = await statements.select<{ id: number | null }>('SELECT MAX(id) AS id FROM logs', {})
  const lastId = log?.id ?? 0
  await statements.run(
    'UPDATE log_progress SET last_id = :lastId, requests_to = MIN(requests_to, :lastId) WHERE last_id > :lastId',
    { lastId },
  )
  if (lastId >= to) return
  await statements.run('UPDATE log_progress SET cut_count = cut_count + 1, cut_id = :lastId', {
    lastId,
  })
  await forgetPairsBehind(statements, lastId)
}
