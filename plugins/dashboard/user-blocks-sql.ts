// What each user spent in 8 days and in 64: a year of fifty thousand users is 18 million days. A block is summed once it is over, and again if something
// of its time is counted later, so that counting the log costs no more.
import type { DatabaseService, TransactionStatements } from '#core'
import { DAY_SECONDS, HOUR_SECONDS } from './add-hours-sql.ts'
import { lockProgress } from './count-hours-sql.ts'
import { replacedSums, sumList, summedList } from './sums-sql.ts'

const PARTS = 8
/** The days of a block; each block is made of so many of the next shorter ones. */
export const BLOCK_DAYS = [PARTS, PARTS * PARTS] as const
type BlockDays = (typeof BLOCK_DAYS)[number]

const BLOCK_SECONDS = BLOCK_DAYS[0] * DAY_SECONDS
const LONGEST_SECONDS = BLOCK_DAYS[1] * DAY_SECONDS

/** The shortest block that is next, by its first second. */
export interface NextBlock {
  /** Before it nothing is left to be summed. */
  done: number
  start: number
}

/** @returns undefined while the oldest block that is not summed is not over */
export async function nextBlock(
  database: DatabaseService,
  nowSeconds: number,
): Promise<NextBlock | undefined> {
  const [found] = await database.select<{
    done: number
    summed_from: number
    oldest: number | null
    newest: number
  }>(
    `SELECT user_blocks_to AS done, summed_from,
       (SELECT MIN(created_at) FROM dashboard__users) AS oldest,
       (SELECT MAX(created_at) FROM dashboard__users) AS newest
     FROM dashboard__progress WHERE id = 1`,
  )
  const oldest = found?.oldest ?? undefined
  // Days of the past are still being summed.
  if (found === undefined || oldest === undefined || found.summed_from > 0) return undefined
  const { done, newest } = found
  const start = done > 0 ? done : oldest - (oldest % LONGEST_SECONDS)
  const end = start + BLOCK_SECONDS
  // An hour for those who come late.
  return end + HOUR_SECONDS > nowSeconds || end > newest ? undefined : { done, start }
}

/** Before it is summed: from now on, what comes late is noted. @returns false where another has begun with it */
export async function beginBlock(
  statements: TransactionStatements,
  { done, start }: NextBlock,
): Promise<boolean> {
  const progress = await lockProgress(statements)
  if (progress?.user_blocks_to !== done) return false
  await statements.run('UPDATE dashboard__progress SET user_blocks_begun = :end WHERE id = 1', {
    end: start + BLOCK_SECONDS,
  })
  return true
}

/** Unless it was forgotten meanwhile. */
export async function endBlock(
  statements: TransactionStatements,
  { done, start }: NextBlock,
): Promise<void> {
  await statements.run(
    `UPDATE dashboard__progress SET user_blocks_to = :end
     WHERE id = 1 AND user_blocks_begun = :end AND user_blocks_to = :done`,
    { done, end: start + BLOCK_SECONDS },
  )
}

/** A block to be made of `times`, which are days or shorter blocks. */
export interface Block {
  days: BlockDays
  start: number
  times: readonly number[]
}

/** The shortest, and those that end with it. */
export function blocksEndingWith({ start }: NextBlock): Block[] {
  const end = start + BLOCK_SECONDS
  return BLOCK_DAYS.filter((days) => end % (days * DAY_SECONDS) === 0).map((days) => {
    const seconds = days * DAY_SECONDS
    const times = Array.from({ length: PARTS }, (_, at) => end - seconds + (at * seconds) / PARTS)
    return { days, start: end - seconds, times }
  })
}

function sourceOf({ days }: Block): string {
  return days === BLOCK_DAYS[0]
    ? 'dashboard__users WHERE'
    : `dashboard__user_blocks WHERE days = ${days / PARTS} AND`
}

/** The last of the users of a block. */
export async function lastUserOf(database: DatabaseService, block: Block): Promise<number> {
  // One by one each is the end of a piece of the key.
  const ofTimes = block.times.map(
    (time) => `SELECT MAX(user_id) AS user_id FROM ${sourceOf(block)} created_at = ${time}`,
  )
  const [last] = await database.select<{ user_id: number | null }>(
    `SELECT MAX(user_id) AS user_id FROM (${ofTimes.join(' UNION ALL ')}) AS users`,
  )
  return last?.user_id ?? 0
}

/** Sums the block for the users with ids above `after`, up to `to`. */
export async function sumBlockOfUsers(
  statements: TransactionStatements,
  block: Block,
  users: { after: number; to: number },
): Promise<void> {
  await statements.run(
    `INSERT INTO dashboard__user_blocks (days, created_at, user_id, username, ${sumList})
     SELECT CAST(:days AS BIGINT), CAST(:start AS BIGINT), user_id, MAX(username),
       ${summedList}
     FROM ${sourceOf(block)} created_at IN (:times) AND user_id > :after AND user_id <= :to GROUP BY user_id
     ON CONFLICT (days, created_at, user_id) DO UPDATE SET username = excluded.username, ${replacedSums}`,
    { ...block, ...users },
  )
}

/** Deletes the blocks from `createdAt` on, because something was counted in their time after they were summed. They are made again. */
export async function forgetBlocksFrom(
  statements: TransactionStatements,
  createdAt: number,
): Promise<void> {
  const from = createdAt - (createdAt % BLOCK_SECONDS)
  await statements.run(
    `UPDATE dashboard__progress SET user_blocks_begun = :from,
       user_blocks_to = CASE WHEN user_blocks_to < :from THEN user_blocks_to ELSE :from END WHERE id = 1`,
    { from },
  )
}
