// The hourly sums behind the dashboard: each row of the usage log is read once, soon after it was written.
import { setTimeout as pause } from 'node:timers/promises'
import type { DatabaseService, Transaction } from '#core'
import {
  addHours,
  createdAtOf,
  lastOfSlice,
  lockProgress,
  moveProgress,
  newestId,
  type Progress,
  type Start,
  sumDayBefore,
} from './count-hours-sql.ts'

/** Rows counted in one transaction, so that settlements get their turn in between: SQLite has one writer. */
const rowsAtOnce = { sqlite: 1_000, postgres: 20_000 } as const
/** PostgreSQL gives ids before it commits: rows below the newest one may still be on their way for so long. */
const onTheirWayMs = 5_000

export interface CountOptions {
  /** False: what was written is passed over and never counted. */
  isCounted: boolean
  signal?: AbortSignal
  nowSeconds?: number
  settleMs?: number
}

/** Counts what has come into the log since the last time. Two that run at once count nothing twice. */
export async function countHours(database: DatabaseService, options: CountOptions): Promise<void> {
  const { signal, settleMs = onTheirWayMs } = options
  const end = await newestId(database)
  if (database.dialect === 'postgres' && settleMs > 0) await pause(settleMs, undefined, { signal })
  for (;;) {
    if (signal?.aborted) return
    const isMore = await database.transaction((transaction) =>
      step(database, end, options, transaction),
    )
    if (!isMore) break
  }
  await sumPast(database, signal)
}

/** Once after an upgrade, day by day: figures of that time are summed from the rows of each user meanwhile. */
async function sumPast(database: DatabaseService, signal: AbortSignal | undefined): Promise<void> {
  for (let isMore = true; isMore && !signal?.aborted; ) {
    isMore = await database.transaction(async (transaction) => {
      const from = (await lockProgress(database, transaction))?.summed_from ?? 0
      return from > 0 && (await sumDayBefore(database, from, transaction)) > 0
    })
  }
}

async function step(
  database: DatabaseService,
  end: number,
  { isCounted, nowSeconds = Math.floor(Date.now() / 1000) }: CountOptions,
  transaction: Transaction,
): Promise<boolean> {
  const progress = await lockProgress(database, transaction)
  if (!progress) return false
  const from = await startOf(database, progress, transaction)
  const slice = { ...from, end, limit: rowsAtOnce[database.dialect] }
  const to = await lastOfSlice(database, slice, transaction)
  if (isCounted && to > from.id) await addHours(database, { ...from, to }, transaction)
  const created = await createdAtOf(database, { upTo: to }, transaction)
  await moveProgress(
    database,
    {
      to: Math.max(to, from.id),
      created: created ?? progress.last_created_at,
      now: nowSeconds,
    },
    transaction,
  )
  return to < end
}

/** SQLite gives ids anew when the newest rows were deleted: then time tells what has been counted. */
async function startOf(
  database: DatabaseService,
  { last_id: id, last_created_at: created }: Progress,
  transaction: Transaction,
): Promise<Start> {
  if (database.dialect === 'postgres' || id === 0) return { id, after: -1 }
  const last = await createdAtOf(database, { id }, transaction)
  return last === created ? { id, after: -1 } : { id: 0, after: created }
}
