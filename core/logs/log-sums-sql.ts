// What the log's rows add up to, by hour or day and by one property: a total over a month reads thousands of rows instead of
// millions. Rows are summed once, in the order of their ids; what came since is added from the log itself.
import { setTimeout as pause } from 'node:timers/promises'
import type { UsageLogQuery } from '../contract/money-services.ts'
import type { DatabaseService, TransactionStatements } from '../contract/services.ts'
import type { LogFilter } from './log-filters-sql.ts'
import {
  idSpan,
  isSpend,
  lastSummed,
  lockProgress,
  type Progress,
  QUARTER_SECONDS,
  readProgress,
  type SummedRows,
  isSummed,
  summedId,
  withinIds,
} from './log-quarters-sql.ts'
import {
  forgetPairsBehind,
  LIMITS,
  type PairLimits,
  pairNewLogs,
  pairSummed,
} from './log-pairs-sql.ts'
import { groupModel, type KindName, kindNames, LogFold, sumKinds } from './log-fold-sql.ts'
import type { Asked } from './log-question-sql.ts'

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

/**
 * What was spent, mostly from the sums. Undefined when the sums don't know the question: two properties but for a group and a
 * model, or a span that is shorter than their buckets. `filter` is that of the query without its span.
 */
export async function summedQuota(
  database: DatabaseService,
  query: UsageLogQuery,
  filter: LogFilter,
): Promise<number | undefined> {
  const summed = subjectsOf(filter.asked)
  if (summed === undefined) return undefined
  const { name, subjects } = summed
  const bucketSeconds = name === undefined ? QUARTER_SECONDS : sumKinds[name]
  const { sums_from: sumsFrom } = await readProgress(database)
  if (query.end !== undefined && query.end < sumsFrom) return undefined
  const { from, to, edges } = bucketsOf(query, bucketSeconds, sumsFrom)
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

/** @param sumsFrom a bucket's beginning; what was before is read */
function bucketsOf(
  { start, end }: UsageLogQuery,
  bucketSeconds: number,
  sumsFrom: number,
): { from: number; to: number; edges: Edge[] } {
  const buckets = { from: 0, to: Number.MAX_SAFE_INTEGER, edges: [] as Edge[] }
  if ((start ?? 0) < sumsFrom) {
    buckets.from = sumsFrom
    buckets.edges.push({ start: start ?? 0, end: sumsFrom - 1, isTooMuch: false })
  } else if (start !== undefined) {
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
      isSummed,
      ...conditions,
    ].join(' AND '),
    values: { ...values, [`${name}Start`]: start, [`${name}End`]: end },
  }
}

/** By which kind of sums a question is told, and of which subjects; by none, quarters know it. */
interface Summed {
  name: KindName | undefined
  subjects: readonly string[]
}

function subjectsOf({
  users,
  name,
  models,
  channel,
  group,
  token,
  tokenId,
}: Asked): Summed | undefined {
  if (name !== undefined || tokenId !== undefined) return undefined
  const found: Summed[] = []
  if (users !== undefined) found.push({ name: 'user', subjects: users.map(String) })
  if (token !== undefined) found.push({ name: 'token', subjects: [token] })
  if (channel !== undefined) found.push({ name: 'channel', subjects: [String(channel)] })
  if (group !== undefined && models !== undefined) {
    const subjects = models.map((model) => groupModel(group, model))
    found.push({ name: 'group model', subjects })
  } else if (group !== undefined) found.push({ name: 'group', subjects: [group] })
  else if (models !== undefined) found.push({ name: 'model', subjects: models })
  if (found.length > 1) return undefined
  return found[0] ?? { name: undefined, subjects: [] }
}
