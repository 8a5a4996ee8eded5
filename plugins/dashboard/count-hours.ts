// The hourly sums behind the dashboard: each row of the usage log is read once, soon after it was written.
import { setTimeout as pause } from 'node:timers/promises'
import { type DatabaseService, logCuts, type Transaction } from '#core'
import { addHours } from './add-hours-sql.ts'
import {
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
const rowsAtOnce = { sqlite: 5_000, postgres: 20_000 } as const
/** PostgreSQL gives ids before it commits: rows below the newest one may still be on their way for so long. */
const onTheirWayMs = 5_000

export interface CountOptions {
  /** False: what was written is passed over and never counted. */
  isCounted: boolean
  signal?: AbortSignal
  /** Left out: there may be newer rows, and nobody is told that the log was counted. */
  nowSeconds?: number
  settleMs?: number
}

/** Counts what has come into the log since the last time. Two that run at once count nothing twice. */
export async function countHours(database: DatabaseService, options: CountOptions): Promise<void> {
  const { signal, settleMs = onTheirWayMs, nowSeconds = Math.floor(Date.now() / 1000) } = options
  const end = await newestId(database)
  if (database.dialect === 'postgres' && settleMs > 0) await pause(settleMs, undefined, { signal })
  for (let isMore = true; isMore; ) {
    if (signal?.aborted) return
    const counted = await database.transaction((transaction) =>
      step(database, end, { ...options, nowSeconds }, transaction),
    )
    isMore = counted.isMore
  }
  await sumPast(database, signal)
}

/** Before these rows are deleted: up to this id, or as far as one transaction leads. @returns how far they are counted */
export async function countTo(
  database: DatabaseService,
  id: number,
  options: Pick<CountOptions, 'isCounted'>,
): Promise<number> {
  const { last, isMore } = await database.transaction((transaction) =>
    step(database, id, options, transaction),
  )
  return isMore ? last : id
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
  wanted: number,
  { isCounted, nowSeconds }: CountOptions,
  transaction: Transaction,
): Promise<{ last: number; isMore: boolean }> {
  const progress = await lockProgress(database, transaction)
  if (!progress) return { last: wanted, isMore: false }
  // Rows that were deleted meanwhile: what comes may have their ids.
  const end = Math.min(wanted, await newestId(database, transaction))
  const cuts = await logCuts(database, transaction)
  const from =
    cuts.count === progress.cut_count
      ? await startOf(database, progress, transaction)
      : { id: Math.min(progress.last_id, cuts.after), after: -1 }
  const slice = { ...from, end, limit: rowsAtOnce[database.dialect] }
  const { before, to } = await lastOfSlice(database, slice, transaction)
  if (isCounted && to > before)
    await addHours(database, { id: before, after: from.after, to }, transaction)
  const last = Math.max(to, from.id)
  const created = await createdAtOf(database, { upTo: last }, transaction)
  const reached = { to: last, created: created ?? progress.last_created_at, cuts: cuts.count }
  await moveProgress(database, { ...reached, now: nowSeconds ?? null }, transaction)
  return { last, isMore: last < end }
}

/** SQLite gives ids anew when the newest rows were deleted by hand, which nobody is told: then time tells what has been counted. */
async function startOf(
  database: DatabaseService,
  { last_id: id, last_created_at: created }: Progress,
  transaction: Transaction,
): Promise<Start> {
  const goingOn = { id, after: -1 }
  if (database.dialect === 'postgres' || id === 0) return goingOn
  const last = await createdAtOf(database, { id }, transaction)
  if (last === created) return goingOn
  const isGone = last === undefined && id <= (await newestId(database, transaction))
  return isGone ? goingOn : { id: 0, after: created }
}
