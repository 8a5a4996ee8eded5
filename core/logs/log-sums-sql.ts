// What the log's rows add up to, by hour or day and by one property: a total over a month reads thousands of rows instead of
// millions. Rows are summed once, in the order of their ids; what came since is added from the log itself.
import { setTimeout as pause } from 'node:timers/promises'
import type { Transaction } from 'sequelize'
import { CHANNEL_TEST, logType } from '../contract/constants.ts'
import type { UsageLogQuery } from '../contract/money-services.ts'
import type { DatabaseService } from '../contract/services.ts'
import type { LogFilter } from './log-filters-sql.ts'

const HOUR_SECONDS = 3_600
const DAY_SECONDS = 86_400
/** Rows summed in one transaction, so that settlements get their turn in between. */
const ROWS_AT_ONCE = 5_000
/** PostgreSQL gives ids before it commits: rows below the newest one may still be on their way for so long. */
const ON_THEIR_WAY_MS = 5_000

/** Consumption, for tests of channels are no spend. */
const counted = `type = ${logType.consume} AND NOT (token_id = 0 AND token_name = '${CHANNEL_TEST}')`

interface Kind {
  /** Of a row of `logs`, as text. */
  subject: string
  /** Few subjects are summed by the hour; many by the day, for their single rows are found by an index. */
  bucketSeconds: number
}

const kinds = {
  all: { subject: `''`, bucketSeconds: HOUR_SECONDS },
  group: { subject: '"group"', bucketSeconds: HOUR_SECONDS },
  model: { subject: 'model_name', bucketSeconds: HOUR_SECONDS },
  channel: { subject: 'CAST(channel_id AS TEXT)', bucketSeconds: DAY_SECONDS },
  user: { subject: 'CAST(user_id AS TEXT)', bucketSeconds: DAY_SECONDS },
  username: { subject: 'username', bucketSeconds: DAY_SECONDS },
  token: { subject: 'token_name', bucketSeconds: DAY_SECONDS },
} as const satisfies Record<string, Kind>
type KindName = keyof typeof kinds

/** Sums what has come into the log since the last time. Two that run at once count nothing twice. */
export async function sumNewLogs(
  database: DatabaseService,
  { signal, settleMs = ON_THEIR_WAY_MS }: { signal?: AbortSignal; settleMs?: number } = {},
): Promise<void> {
  const [newest] = await database.select<{ id: number | null }>('SELECT MAX(id) AS id FROM logs')
  const end = newest?.id ?? 0
  if (database.dialect === 'postgres' && settleMs > 0) {
    await pause(settleMs, undefined, { signal, ref: false })
  }
  for (let isMore = true; isMore && !signal?.aborted; ) {
    isMore = await database.transaction((transaction) => sumNext(database, end, transaction))
  }
}

/** @returns whether more are left */
async function sumNext(
  database: DatabaseService,
  end: number,
  transaction: Transaction,
): Promise<boolean> {
  const last = await lastSummed(database, transaction)
  const to = Math.min(end, last + ROWS_AT_ONCE)
  if (to <= last) return false
  const isOurs = await database.run(
    'UPDATE log_sums_progress SET last_id = :to WHERE id = 1 AND last_id = :last',
    { to, last },
    transaction,
  )
  if (isOurs === 0) return true
  for (const name of Object.keys(kinds) as KindName[]) {
    await addSums(database, name, { where: 'id > :last AND id <= :to', last, to }, transaction)
  }
  return to < end
}

async function addSums(
  database: DatabaseService,
  name: KindName,
  { where, ...values }: { where: string; [value: string]: string | number },
  transaction: Transaction,
): Promise<void> {
  const { subject, bucketSeconds } = kinds[name]
  // The subject in lines of its own: SQLite reads "ON" behind a FROM as that of a join.
  await database.run(
    `INSERT INTO log_sums (kind, subject, start_at, quota)
     SELECT '${name}', subject, start_at, SUM(quota) FROM (
       SELECT ${subject} AS subject, created_at - created_at % ${bucketSeconds} AS start_at, quota
       FROM logs WHERE ${where} AND ${counted}
     ) AS rows_of_log WHERE quota <> 0 GROUP BY subject, start_at
     ON CONFLICT (kind, subject, start_at) DO UPDATE SET quota = log_sums.quota + excluded.quota`,
    values,
    transaction,
  )
}

async function lastSummed(database: DatabaseService, transaction: Transaction): Promise<number> {
  const lock = database.dialect === 'postgres' ? ' FOR UPDATE' : ''
  const [progress] = await database.select<{ last_id: number }>(
    `SELECT last_id FROM log_sums_progress WHERE id = 1${lock}`,
    {},
    transaction,
  )
  return progress?.last_id ?? 0
}

/** Before rows older than a time are deleted: their sums go, and what stays of a bucket is summed anew. */
export async function forgetSumsBefore(
  database: DatabaseService,
  timestampSeconds: number,
): Promise<void> {
  await database.transaction(async (transaction) => {
    const last = await lastSummed(database, transaction)
    for (const name of Object.keys(kinds) as KindName[]) {
      const { bucketSeconds } = kinds[name]
      const bucketEnd = (Math.floor(timestampSeconds / bucketSeconds) + 1) * bucketSeconds
      await database.run(
        'DELETE FROM log_sums WHERE kind = :name AND start_at < :timestampSeconds',
        { name, timestampSeconds },
        transaction,
      )
      if (timestampSeconds % bucketSeconds === 0) continue
      const where = 'created_at >= :timestampSeconds AND created_at < :bucketEnd AND id <= :last'
      await addSums(database, name, { where, timestampSeconds, bucketEnd, last }, transaction)
    }
  })
}

/** SQLite gives the ids of deleted newest rows anew: in the transaction that deletes them, they count as not summed. */
export async function stepBack(database: DatabaseService, transaction: Transaction): Promise<void> {
  if (database.dialect === 'postgres') return
  await database.run(
    `UPDATE log_sums_progress SET last_id = MIN(last_id, COALESCE((SELECT MAX(id) FROM logs), 0))`,
    {},
    transaction,
  )
}

/** What a filter asks for by one property at the most. */
interface Subjects {
  name: KindName
  subjects: readonly string[]
}

/**
 * What was spent, mostly from the sums. Undefined when the sums don't know the question: more than one property, or a span
 * without a whole bucket.
 */
export async function summedQuota(
  database: DatabaseService,
  query: UsageLogQuery,
  { where, replacements }: LogFilter,
): Promise<number | undefined> {
  const asked = subjectsOf(query, replacements)
  if (asked === undefined) return undefined
  const { bucketSeconds } = kinds[asked.name]
  const from = Math.ceil((query.start ?? 0) / bucketSeconds) * bucketSeconds
  const to =
    query.end === undefined
      ? Number.MAX_SAFE_INTEGER
      : Math.floor((query.end + 1) / bucketSeconds) * bucketSeconds
  if (from >= to) return undefined
  const rows = `SELECT quota FROM logs ${where === '' ? 'WHERE' : `${where} AND`} ${counted}`
  const summed = 'id <= (SELECT last_id FROM log_sums_progress)'
  const parts = [
    `SELECT quota FROM log_sums WHERE kind = :name AND subject IN (:subjects)
     AND start_at >= :from AND start_at < :to`,
    `${rows} AND id > (SELECT last_id FROM log_sums_progress)`,
    ...(query.start === undefined ? [] : [`${rows} AND ${summed} AND created_at < :from`]),
    ...(query.end === undefined ? [] : [`${rows} AND ${summed} AND created_at >= :to`]),
  ]
  const [sum] = await database.select<{ quota: number }>(
    `SELECT CAST(COALESCE(SUM(quota), 0) AS BIGINT) AS quota FROM (${parts.join(' UNION ALL ')}) AS parts`,
    { ...replacements, name: asked.name, subjects: asked.subjects, from, to },
  )
  return sum?.quota ?? 0
}

function subjectsOf(
  { userId, username, tokenName, tokenId, modelName, channelId, group }: UsageLogQuery,
  { models }: LogFilter['replacements'],
): Subjects | undefined {
  if (tokenId !== undefined) return undefined
  const found: Subjects[] = []
  const add = (name: KindName, value: string | number | undefined) => {
    if (value !== undefined) found.push({ name, subjects: [String(value)] })
  }
  add('user', userId)
  add('username', username)
  add('token', tokenName)
  add('channel', channelId)
  add('group', group)
  if (modelName !== undefined && Array.isArray(models)) {
    found.push({ name: 'model', subjects: models as string[] })
  }
  if (found.length > 1) return undefined
  return found[0] ?? { name: 'all', subjects: [''] }
}
