// What the log's rows add up to, by hour or day and by one property: a total over a month reads thousands of rows instead of
// millions. `sum-logs-sql.ts` keeps the sums; what came since is added from the log itself.
import type { UsageLogQuery } from '../contract/money-services.ts'
import type { DatabaseService } from '../contract/services.ts'
import type { LogFilter } from './log-filters-sql.ts'
import { groupModel, type KindName, sumKinds } from './log-fold-sql.ts'
import {
  idSpan,
  isSpend,
  isSummed,
  lastSummed,
  QUARTER_SECONDS,
  readProgress,
  summedId,
  withinIds,
} from './log-quarters-sql.ts'
import type { Asked } from './log-question-sql.ts'

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
