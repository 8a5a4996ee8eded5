// What the log's rows add up to, by hour or day and by one property: a total over a month reads thousands of rows instead of
// millions. Rows are summed once, in the order of their ids; what came since is added from the log itself.
import { setTimeout as pause } from 'node:timers/promises'
import type { Transaction } from 'sequelize'
import type { UsageLogQuery } from '../contract/money-services.ts'
import type { DatabaseService } from '../contract/services.ts'
import type { LogFilter } from './log-filters-sql.ts'
import {
  addQuarters,
  emptyQuarters,
  idSpan,
  isSpend,
  lastSummed,
  QUARTER_SECONDS,
  summedId,
  withinIds,
} from './log-quarters-sql.ts'

const HOUR_SECONDS = 3_600
const DAY_SECONDS = 86_400
/** Rows summed in one transaction: SQLite's one writer serves settlements in between, PostgreSQL has other connections for them. */
const ROWS_AT_ONCE = { sqlite: 5_000, postgres: 50_000 } as const
/** PostgreSQL gives ids before it commits: rows below the newest one may still be on their way for so long. */
const ON_THEIR_WAY_MS = 5_000

interface Kind {
  /** Of a row of `logs`, as text. */
  subject: string
  /** Few subjects are summed by the hour; many by the day, for their single rows are found by an index. */
  bucketSeconds: number
}

const kinds = {
  group: { subject: '"group"', bucketSeconds: HOUR_SECONDS },
  model: { subject: 'model_name', bucketSeconds: HOUR_SECONDS },
  channel: { subject: 'CAST(channel_id AS TEXT)', bucketSeconds: DAY_SECONDS },
  user: { subject: 'CAST(user_id AS TEXT)', bucketSeconds: DAY_SECONDS },
  username: { subject: 'username', bucketSeconds: DAY_SECONDS },
  token: { subject: 'token_name', bucketSeconds: DAY_SECONDS },
} as const satisfies Record<string, Kind>
type KindName = keyof typeof kinds
const kindNames = Object.keys(kinds) as KindName[]

/** Sums what has come into the log since the last time. Two that run at once count nothing twice. */
export async function sumNewLogs(
  database: DatabaseService,
  {
    signal,
    settleMs = ON_THEIR_WAY_MS,
    rowsAtOnce = ROWS_AT_ONCE[database.dialect],
  }: { signal?: AbortSignal; settleMs?: number; rowsAtOnce?: number } = {},
): Promise<void> {
  const [newest] = await database.select<{ id: number | null }>('SELECT MAX(id) AS id FROM logs')
  const end = newest?.id ?? 0
  if (database.dialect === 'postgres' && settleMs > 0) {
    await pause(settleMs, undefined, { signal, ref: false })
  }
  for (let isMore = true; isMore && !signal?.aborted; ) {
    isMore = await database.transaction((transaction) =>
      sumNext(database, { end, rowsAtOnce }, transaction),
    )
  }
}

/** @returns whether more are left */
async function sumNext(
  database: DatabaseService,
  { end, rowsAtOnce }: { end: number; rowsAtOnce: number },
  transaction: Transaction,
): Promise<boolean> {
  const last = await lockProgress(database, transaction)
  const to = Math.min(end, last + rowsAtOnce)
  if (to <= last) return false
  const isOurs = await database.run(
    'UPDATE log_progress SET last_id = :to WHERE id = 1 AND last_id = :last',
    { to, last },
    transaction,
  )
  if (isOurs === 0) return true
  const rows = { where: 'id > :last AND id <= :to', last, to }
  await addQuarters(database, rows, transaction)
  await addNames(database, rows, transaction)
  for (const name of kindNames) await addSums(database, name, rows, transaction)
  return to < end
}

async function addNames(
  database: DatabaseService,
  { where, ...values }: { where: string; [value: string]: string | number },
  transaction: Transaction,
): Promise<void> {
  await database.run(
    `INSERT INTO log_users (username, user_id) SELECT DISTINCT username, user_id FROM logs WHERE ${where}
     ON CONFLICT DO NOTHING`,
    values,
    transaction,
  )
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
       FROM logs WHERE ${where} AND ${isSpend}
     ) AS rows_of_log WHERE quota <> 0 GROUP BY subject, start_at
     ON CONFLICT (kind, subject, start_at) DO UPDATE SET quota = log_sums.quota + excluded.quota`,
    values,
    transaction,
  )
}

/** Until the end of the transaction nobody else sums. */
async function lockProgress(database: DatabaseService, transaction: Transaction): Promise<number> {
  const lock = database.dialect === 'postgres' ? ' FOR UPDATE' : ''
  const [progress] = await database.select<{ last_id: number }>(
    `SELECT last_id FROM log_progress WHERE id = 1${lock}`,
    {},
    transaction,
  )
  return progress?.last_id ?? 0
}

/** Before rows older than a time are deleted: their sums go, and what stays of a bucket is summed anew. A transaction a kind, for calls wait. */
export async function forgetSumsBefore(
  database: DatabaseService,
  timestampSeconds: number,
): Promise<void> {
  await database.transaction(async (transaction) => {
    await emptyQuarters(database, timestampSeconds, transaction)
    const add = { bucketSeconds: QUARTER_SECONDS, timestampSeconds, add: addQuarters }
    await sumRest(database, add, transaction)
  })
  for (const name of kindNames) {
    await database.transaction(async (transaction) => {
      await database.run(
        'DELETE FROM log_sums WHERE kind = :name AND start_at < :timestampSeconds',
        { name, timestampSeconds },
        transaction,
      )
      const add: AddRows = (...rows) => addSums(rows[0], name, rows[1], rows[2])
      const { bucketSeconds } = kinds[name]
      await sumRest(database, { bucketSeconds, timestampSeconds, add }, transaction)
    })
  }
}

type AddRows = typeof addQuarters

/** The rows from a time to the end of its bucket. */
async function sumRest(
  database: DatabaseService,
  rest: { bucketSeconds: number; timestampSeconds: number; add: AddRows },
  transaction: Transaction,
): Promise<void> {
  const { bucketSeconds, timestampSeconds, add } = rest
  const last = await lockProgress(database, transaction)
  if (timestampSeconds % bucketSeconds === 0) return
  const bucketEnd = (Math.floor(timestampSeconds / bucketSeconds) + 1) * bucketSeconds
  const span = await idSpan(database, { start: timestampSeconds, end: bucketEnd - 1 }, transaction)
  if (span === undefined) return
  const { conditions, values } = withinIds(span)
  const inTime = ['created_at >= :timestampSeconds', 'created_at < :bucketEnd', 'id <= :last']
  const where = [...conditions, ...inTime].join(' AND ')
  await add(database, { where, timestampSeconds, bucketEnd, last, ...values }, transaction)
}

/** SQLite gives the ids of deleted newest rows anew: in the transaction that deletes them, they count as not summed. */
export async function stepBack(database: DatabaseService, transaction: Transaction): Promise<void> {
  if (database.dialect === 'postgres') return
  await database.run(
    `UPDATE log_progress SET last_id = MIN(last_id, COALESCE((SELECT MAX(id) FROM logs), 0))`,
    {},
    transaction,
  )
}

/** What a filter asks for by one property at the most; by none, quarters know it. */
interface Subjects {
  name: KindName | undefined
  subjects: readonly string[]
}

/**
 * What was spent, mostly from the sums. Undefined when the sums don't know the question: more than one property, or a span
 * that is shorter than their buckets. `filter` is that of the query without its span.
 */
export async function summedQuota(
  database: DatabaseService,
  query: UsageLogQuery,
  filter: LogFilter,
): Promise<number | undefined> {
  const asked = subjectsOf(query, filter.replacements)
  if (asked === undefined) return undefined
  const { name, subjects } = asked
  const bucketSeconds = name === undefined ? QUARTER_SECONDS : kinds[name].bucketSeconds
  const { from, to, edges } = bucketsOf(query, bucketSeconds)
  if (from >= to) return undefined
  const inSpan = 'start_at >= :from AND start_at < :to'
  const rows = await Promise.all([
    unsummedRows(database, query, filter),
    ...edges.map((edge, at) => edgeRows(database, filter, edge, `edge${at}`)),
  ])
  const parts = [
    name === undefined
      ? `SELECT quota FROM log_quarters WHERE ${inSpan}`
      : `SELECT quota FROM log_sums WHERE kind = :name AND subject IN (:subjects) AND ${inSpan}`,
    ...rows.map(({ sql }) => sql),
  ].filter((sql) => sql !== '')
  const [sum] = await database.select<{ quota: number }>(
    `SELECT CAST(COALESCE(SUM(quota), 0) AS BIGINT) AS quota FROM (${parts.join(' UNION ALL ')}) AS parts`,
    {
      ...filter.replacements,
      ...Object.assign({}, ...rows.map(({ values }) => values)),
      name,
      subjects,
      from,
      to,
    },
  )
  return sum?.quota ?? 0
}

/** Rows beside the buckets: those of a span that no bucket has, or those of a bucket that the span has not, whichever are fewer. */
interface Edge {
  start: number
  end: number
  isTooMuch: boolean
}

function bucketsOf(
  { start, end }: UsageLogQuery,
  bucketSeconds: number,
): { from: number; to: number; edges: Edge[] } {
  const buckets = { from: 0, to: Number.MAX_SAFE_INTEGER, edges: [] as Edge[] }
  if (start !== undefined) {
    const before = start - (start % bucketSeconds)
    const after = before === start ? start : before + bucketSeconds
    const isTooMuch = start - before < after - start
    buckets.from = isTooMuch ? before : after
    const edge = isTooMuch ? { start: before, end: start - 1 } : { start, end: after - 1 }
    buckets.edges.push({ ...edge, isTooMuch })
  }
  if (end !== undefined) {
    const stop = end + 1
    const before = stop - (stop % bucketSeconds)
    const after = before === stop ? stop : before + bucketSeconds
    // Of what is to come there is nothing.
    const isTooMuch = Math.min(after, Date.now() / 1000) - stop < stop - before
    buckets.to = isTooMuch ? after : before
    const edge = isTooMuch ? { start: stop, end: after - 1 } : { start: before, end }
    buckets.edges.push({ ...edge, isTooMuch })
  }
  return buckets
}

interface Rows {
  /** Empty where there are none. */
  sql: string
  values: Record<string, number>
}

const rowsOf = ({ where }: LogFilter) =>
  `FROM logs ${where === '' ? 'WHERE' : `${where} AND`} ${isSpend}`

/** What came since the log was summed. How far that was is said twice: as a number PostgreSQL knows how few they are, and in the statement it is true. */
async function unsummedRows(
  database: DatabaseService,
  { start = 0, end = Number.MAX_SAFE_INTEGER }: UsageLogQuery,
  filter: LogFilter,
): Promise<Rows> {
  const summed = await lastSummed(database)
  return {
    sql: `SELECT quota ${rowsOf(filter)} AND id > :summed AND id > ${summedId}
      AND created_at >= :start AND created_at <= :end`,
    values: { summed, start, end },
  }
}

async function edgeRows(
  database: DatabaseService,
  filter: LogFilter,
  { start, end, isTooMuch }: Edge,
  name: string,
): Promise<Rows> {
  const span = start > end ? undefined : await idSpan(database, { start, end })
  if (span === undefined) return { sql: '', values: {} }
  const { conditions, values } = withinIds(span, name)
  const inTime = `created_at >= :${name}Start AND created_at <= :${name}End`
  return {
    sql: [
      `SELECT ${isTooMuch ? '-quota' : 'quota'} ${rowsOf(filter)}`,
      inTime,
      `id <= ${summedId}`,
      ...conditions,
    ].join(' AND '),
    values: { ...values, [`${name}Start`]: start, [`${name}End`]: end },
  }
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
  return found[0] ?? { name: undefined, subjects: [] }
}
