// The hourly sums behind the dashboard: each row of the usage log is read once, soon after it was written.
import { setTimeout as pause } from 'node:timers/promises'
import type { DatabaseService, Transaction } from '#core'
import {
  addHours,
  createdAtOf,
  moveProgress,
  newestId,
  type Progress,
  readProgress,
  type Start,
} from './count-hours-sql.ts'

/** Rows counted in one transaction, so that settlements get their turn in between. */
const rowsAtOnce = 20_000
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
    if (!isMore) return
  }
}

async function step(
  database: DatabaseService,
  end: number,
  { isCounted, nowSeconds = Math.floor(Date.now() / 1000) }: CountOptions,
  transaction: Transaction,
): Promise<boolean> {
  const progress = await readProgress(database, transaction)
  if (!progress) return false
  const from = await startOf(database, progress, transaction)
  const to = Math.min(end, from.id + rowsAtOnce)
  if (isCounted && to > from.id) await addHours(database, { ...from, to }, transaction)
  const created = await createdAtOf(database, { upTo: to }, transaction)
  const isOurs = await moveProgress(
    database,
    {
      to: Math.max(to, from.id),
      created: created ?? progress.last_created_at,
      now: nowSeconds,
      before: progress.last_id,
    },
    transaction,
  )
  if (!isOurs) throw new Error('The dashboard was counted elsewhere at the same time.')
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
