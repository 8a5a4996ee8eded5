// The job that sums the log: each row once, in the order of their ids. What is deleted is taken out again.
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
import { lockProgress, type Progress, readProgress, type SummedRows } from './log-quarters-sql.ts'

/** Rows that are read for one transaction, and the sums that it writes, of which many rows make few: what settles calls or clears the log waits for it. */
const MOST_ROWS = 50_000
const WRITTEN_AT_ONCE = {
  sqlite: { first: 10_000, least: 2_000, most: 20_000 },
  // A sum that is written costs as much as twenty rows that are folded: many rows for each, while nobody but a clearing waits.
  postgres: { first: 50_000, least: 50_000, most: 50_000 },
} as const
const DROPPED_AT_ONCE = { first: 1_000, least: 100, most: 20_000 }
/** PostgreSQL gives ids before it commits: rows below the newest one may still be on their way for so long. */
const ON_THEIR_WAY_MS = 5_000

export interface SumOptions {
  signal?: AbortSignal | undefined
  settleMs?: number | undefined
  rowsAtOnce?: number
  pairLimits?: PairLimits
}

/** Sums what has come into the log since the last time, and remembers what met. Two that run at once count nothing twice. */
export async function sumNewLogs(
  database: DatabaseService,
  options: SumOptions = {},
): Promise<void> {
  await sumNewRows(database, options)
  await pairNewLogs(database, { signal: options.signal, limits: options.pairLimits })
}

/** Rows are read before the transaction that writes their sums: nobody deletes them before. */
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
  // Another has summed them, or what was read is gone.
  if (now.last_id !== from.last_id || now.cut_count !== from.cut_count) return
  const rows = { last: from.last_id, to: fold.lastId }
  await statements.run('UPDATE log_progress SET last_id = :to WHERE id = 1', rows)
  await fold.add(statements)
  await pairSummed(statements, fold.met, { ...rows, limits })
}

/** Rows that are about to be deleted, of those that are summed. */
export async function takeFromSums(
  statements: TransactionStatements,
  rows: SummedRows,
): Promise<void> {
  const fold = new LogFold()
  await fold.read(statements, rows)
  await fold.take(statements)
}

/** Sums of before `sumsFrom`, which nobody asks, and those of before a time of which nothing is left: slice by slice. */
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

/** Of a sum among those of its kind, in the order of their key. */
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

/** Read before the transaction, so that nobody waits for it. */
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

/** SQLite gives the ids of deleted newest rows anew: in the transaction that deletes them, they count as not summed. @param to the newest id deleted */
export async function stepBack(statements: TransactionStatements, to: number): Promise<void> {
  if (statements.dialect === 'postgres') return
  const [log] = await statements.select<{ id: number | null }>('SELECT MAX(id) AS id FROM logs', {})
  const lastId = log?.id ?? 0
  await statements.run(
    'UPDATE log_progress SET last_id = MIN(last_id, :lastId) WHERE last_id > :lastId',
    { lastId },
  )
  if (lastId >= to) return
  await statements.run('UPDATE log_progress SET cut_count = cut_count + 1, cut_id = :lastId', {
    lastId,
  })
  await forgetPairsBehind(statements, lastId)
}
