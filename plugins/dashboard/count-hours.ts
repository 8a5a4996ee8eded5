// The hourly sums behind the dashboard: each row of the usage log is read once, soon after it was written.
import { setTimeout as pause } from 'node:timers/promises'
import { CHANNEL_TEST, type DatabaseService, logType } from '#core'

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

interface Progress {
  last_id: number
  last_created_at: number
}

/** Counts what has come into the log since the last time. Two that run at once count nothing twice. */
export async function countHours(database: DatabaseService, options: CountOptions): Promise<void> {
  const { signal, settleMs = onTheirWayMs } = options
  const [newest] = await database.select<{ id: number | null }>('SELECT MAX(id) AS id FROM logs')
  const end = newest?.id ?? 0
  if (database.dialect === 'postgres' && settleMs > 0) await pause(settleMs, undefined, { signal })
  for (;;) {
    if (signal?.aborted) return
    const isMore = await database.transaction((transaction) =>
      step(database, end, options, transaction),
    )
    if (!isMore) return
  }
}

type Transaction = Parameters<Parameters<DatabaseService['transaction']>[0]>[0]

async function step(
  database: DatabaseService,
  end: number,
  { isCounted, nowSeconds = Math.floor(Date.now() / 1000) }: CountOptions,
  transaction: Transaction,
): Promise<boolean> {
  const [progress] = await database.select<Progress>(
    'SELECT last_id, last_created_at FROM dashboard__progress WHERE id = 1',
    {},
    transaction,
  )
  if (!progress) return false
  const from = await startOf(database, progress, transaction)
  const to = Math.min(end, from.id + rowsAtOnce)
  if (isCounted && to > from.id) await addHours(database, { ...from, to }, transaction)
  const [last] = await database.select<{ created_at: number }>(
    'SELECT created_at FROM logs WHERE id <= :to ORDER BY id DESC LIMIT 1',
    { to },
    transaction,
  )
  const isOurs = await database.run(
    `UPDATE dashboard__progress SET last_id = :to, last_created_at = :created, counted_at = :now
     WHERE id = 1 AND last_id = :before`,
    {
      to: Math.max(to, from.id),
      created: last?.created_at ?? progress.last_created_at,
      now: nowSeconds,
      before: progress.last_id,
    },
    transaction,
  )
  if (isOurs === 0) throw new Error('The dashboard was counted elsewhere at the same time.')
  return to < end
}

interface Start {
  id: number
  /** Only rows after this second. */
  after: number
}

/** SQLite gives ids anew when the newest rows were deleted: then time tells what has been counted. */
async function startOf(
  { dialect, select }: DatabaseService,
  { last_id: id, last_created_at: created }: Progress,
  transaction: Transaction,
): Promise<Start> {
  if (dialect === 'postgres' || id === 0) return { id, after: -1 }
  const [last] = await select<{ created_at: number }>(
    'SELECT created_at FROM logs WHERE id = :id',
    { id },
    transaction,
  )
  return last?.created_at === created ? { id, after: -1 } : { id: 0, after: created }
}

async function addHours(
  database: DatabaseService,
  { id, after, to }: Start & { to: number },
  transaction: Transaction,
): Promise<void> {
  await database.run(
    `INSERT INTO dashboard__hours (user_id, model_name, created_at, username, token_used, count, quota)
     SELECT user_id, model_name, created_at - created_at % 3600, MAX(username),
       SUM(prompt_tokens + completion_tokens), COUNT(*), SUM(quota)
     FROM logs
     WHERE id > :id AND id <= :to AND created_at > :after AND type = :type
       AND NOT (token_id = 0 AND token_name = :test)
     GROUP BY user_id, model_name, created_at - created_at % 3600
     ON CONFLICT (user_id, model_name, created_at) DO UPDATE SET
       username = excluded.username,
       token_used = dashboard__hours.token_used + excluded.token_used,
       count = dashboard__hours.count + excluded.count,
       quota = dashboard__hours.quota + excluded.quota`,
    { id, to, after, type: logType.consume, test: CHANNEL_TEST },
    transaction,
  )
}
