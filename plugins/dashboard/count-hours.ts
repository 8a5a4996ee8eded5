// Keeps the hourly sums behind the dashboard: each row of the usage log is read once, soon after it was written.
import { setTimeout as pause } from 'node:timers/promises'
import { type DatabaseService, logCuts, type Slices, type TransactionStatements } from '#core'
import { addHours } from './add-hours-sql.ts'
import {
  createdAtOf,
  distrustThirds,
  lastOfSlice,
  lockProgress,
  moveProgress,
  newestId,
  oldestCountedWithout,
  type Progress,
  type Start,
  sumDayBefore,
  sumThirdsBefore,
} from './count-hours-sql.ts'
import { forgetWeeksFrom, sumNextWeek } from './model-weeks-sql.ts'
import {
  beginBlock,
  blocksEndingWith,
  endBlock,
  forgetBlocksFrom,
  lastUserOf,
  nextBlock,
  sumBlockOfUsers,
} from './user-blocks-sql.ts'
import { beginThird, forgetThirdsFrom, nextBusyThird, sumUserThird } from './user-thirds-sql.ts'

/** Rows of a slice. They are limited so that settlements can write in between: SQLite has a single writer. */
const atOnce = {
  sqlite: { first: 2_000, least: 500, most: 5_000 },
  postgres: { first: 20_000, least: 20_000, most: 20_000 },
} as const
/** PostgreSQL assigns ids before rows are committed: rows below the newest id may become visible up to this much
 *  later. */
const onTheirWayMs = 5_000
/** Users of a block; each has up to eight rows. */
const usersAtOnce = { first: 500, least: 50, most: 10_000 }
/** For work that is not divided into rows: one unit in each transaction. */
const alone = { first: 1, least: 1, most: 1 }

export interface CountOptions {
  /** False: the rows are skipped and never counted. */
  isCounted: boolean
  signal?: AbortSignal
  /** Left out: the log is counted up to an id only, and the time of the last count stays as it is. */
  nowSeconds?: number
  settleMs?: number
}

/** Counts the rows that were added to the log since the last time. Two runs at the same time count nothing twice. */
export async function countHours(database: DatabaseService, options: CountOptions): Promise<void> {
  const { signal, nowSeconds = Math.floor(Date.now() / 1000) } = options
  if (!(await countNewRows(database, { ...options, nowSeconds }))) return
  await sumPast(database, signal)
  await sumWeeks(database, { nowSeconds, signal })
  await sumBusyThirds(database, { nowSeconds, signal })
  await sumBlocks(database, { nowSeconds, signal })
}

/** Counts, or skips, the rows that the log has now. @returns false when it was aborted */
export async function countNewRows(
  database: DatabaseService,
  options: CountOptions,
): Promise<boolean> {
  const { signal, settleMs = onTheirWayMs } = options
  const end = await newestId(database)
  if (database.dialect === 'postgres' && settleMs > 0) await pause(settleMs, undefined, { signal })
  const slices = database.slices(atOnce[database.dialect])
  for (let isMore = true; isMore; ) {
    if (signal?.aborted) return false
    const counted = await countSlice(slices, end, options)
    isMore = counted.isMore
  }
  return true
}

/** Counts rows before they are deleted: up to this id, or as many as one transaction may take.
 *  @returns the id up to which rows are counted */
export async function countTo(
  database: DatabaseService,
  id: number,
  options: Pick<CountOptions, 'isCounted'>,
): Promise<number> {
  const { last, isMore } = await countSlice(database.slices(atOnce[database.dialect]), id, options)
  return isMore ? last : id
}

/** Completes the sums of the past after an upgrade, day by day. Until then figures of that time are summed from the
 *  rows by user. */
async function sumPast(database: DatabaseService, signal: AbortSignal | undefined): Promise<void> {
  const days = database.slices(alone)
  const each = async (
    sumDay: (statements: TransactionStatements, progress: Progress) => Promise<boolean>,
  ) => {
    for (let isMore = true; isMore && !signal?.aborted; ) {
      isMore = await days.take(async (statements) => {
        const progress = await lockProgress(statements)
        return progress !== undefined && (await sumDay(statements, progress))
      })
    }
  }
  await each(
    async (statements, { summed_from: from }) =>
      from > 0 && (await sumDayBefore(statements, from)) > 0,
  )
  // These are made from the sums by hour, which are complete now.
  await each(
    async (statements, { thirds_from: from }) =>
      from > 0 && (await sumThirdsBefore(statements, from)) > 0,
  )
}

/** Sums each week that is over, for all models. */
async function sumWeeks(
  database: DatabaseService,
  { nowSeconds, signal }: { nowSeconds: number; signal: AbortSignal | undefined },
): Promise<void> {
  const weeks = database.slices(alone)
  for (let isMore = true; isMore && !signal?.aborted; )
    isMore = await weeks.take((statements) => sumNextWeek(statements, nowSeconds))
}

/** Sums each past third of a day for the users with many rows, each in a transaction of its own. */
async function sumBusyThirds(
  database: DatabaseService,
  { nowSeconds, signal }: { nowSeconds: number; signal: AbortSignal | undefined },
): Promise<void> {
  const slices = database.slices(alone)
  while (!signal?.aborted) {
    const busy = await nextBusyThird(database, nowSeconds)
    if (busy === undefined) return
    if (!(await slices.take((statements) => beginThird(statements, busy)))) continue
    for (const user of busy.users) {
      await slices.take((statements) => sumUserThird(statements, { user, third: busy.third }))
    }
  }
}

/** Sums each block of days that is over, for all users. */
async function sumBlocks(
  database: DatabaseService,
  { nowSeconds, signal }: { nowSeconds: number; signal: AbortSignal | undefined },
): Promise<void> {
  const marks = database.slices(alone)
  const users = database.slices(usersAtOnce)
  for (;;) {
    const next = await nextBlock(database, nowSeconds)
    if (next === undefined || !(await marks.take((statements) => beginBlock(statements, next))))
      return
    for (const block of blocksEndingWith(next)) {
      const last = await lastUserOf(database, block)
      for (let after = 0; after < last; ) {
        if (signal?.aborted) return
        const part = { after, to: after + users.rows }
        await users.take((statements) => sumBlockOfUsers(statements, block, part))
        after = part.to
      }
    }
    await marks.take((statements) => endBlock(statements, next))
  }
}

function countSlice(
  slices: Slices,
  wanted: number,
  options: CountOptions,
): Promise<{ last: number; isMore: boolean }> {
  return slices.take((statements) => step(statements, { wanted, rows: slices.rows }, options))
}

async function step(
  statements: TransactionStatements,
  { wanted, rows }: { wanted: number; rows: number },
  { isCounted, nowSeconds }: CountOptions,
): Promise<{ last: number; isMore: boolean }> {
  const progress = await lockProgress(statements)
  if (!progress) return { last: wanted, isMore: false }
  // These rows were deleted in the meantime, and new rows may get their ids.
  const end = Math.min(wanted, await newestId(statements))
  const cuts = await logCuts(statements)
  const from =
    cuts.count === progress.cut_count
      ? await startOf(statements, progress)
      : { id: Math.min(progress.last_id, cuts.after), after: -1 }
  const slice = { ...from, end, limit: rows }
  const { before, to } = await lastOfSlice(statements, slice)
  if (progress.thirds_id !== progress.last_id) await distrustThirds(statements)
  let oldest = await oldestCountedWithout(statements, progress)
  if (isCounted && to > before) {
    const hours = await addHours(statements, { id: before, after: from.after, to })
    for (const { created_at: hour } of hours) oldest = Math.min(oldest, hour)
  }
  if (oldest < progress.user_thirds_to) await forgetThirdsFrom(statements, oldest)
  if (oldest < progress.weeks_to) await forgetWeeksFrom(statements, oldest)
  if (oldest < progress.user_blocks_begun) await forgetBlocksFrom(statements, oldest)
  const last = Math.max(to, from.id)
  const created = await createdAtOf(statements, { upTo: last })
  const reached = { to: last, created: created ?? progress.last_created_at, cuts: cuts.count }
  await moveProgress(statements, { ...reached, now: nowSeconds ?? null })
  return { last, isMore: last < end }
}

/** SQLite assigns ids again when the newest rows were deleted by hand, without notice: then the time of a row tells
 *  whether it has been counted. */
async function startOf(
  statements: TransactionStatements,
  { last_id: id, last_created_at: created }: Progress,
): Promise<Start> {
  const goingOn = { id, after: -1 }
  if (statements.dialect === 'postgres' || id === 0) return goingOn
  const last = await createdAtOf(statements, { id })
  if (last === created) return goingOn
  const isGone = last === undefined && id <= (await newestId(statements))
  return isGone ? goingOn : { id: 0, after: created }
}
