// Sums of the log by hour or day and by one property, so that a total over a month reads thousands of rows instead of
// millions. `sum-new-logs-sql.ts` writes them; newer rows are added from the log itself.
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
import type { LogQuestion } from './log-question-sql.ts'

/** What was spent, mostly from stored sums. Undefined if no sums match the question: it names two properties (other
 *  than group and model), or its span is shorter than a bucket. `filter` is the filter of the query without its span. */
export async function summedQuota(
  database: DatabaseService,
  query: UsageLogQuery,
  filter: LogFilter,
): Promise<number | undefined> {
  const summed = subjectsOf(filter.question)
  if (summed === undefined) return undefined
  const { name, subjects, areLeftOut } = summed
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
  const ofAll = `SELECT quota FROM log_quarters WHERE ${inSpan}`
  const ofSubjects = `SELECT ${areLeftOut ? '-quota' : 'quota'} FROM log_sums WHERE kind = :name AND subject IN (:subjects) AND ${inSpan}`
  const parts = [
    ...(name === undefined || areLeftOut ? [ofAll] : []),
    ...(name === undefined ? [] : [ofSubjects]),
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

/** Rows at an end of the span that falls inside a bucket: either rows of the span that are added to whole buckets, or
 *  rows outside of it that are subtracted, whichever are fewer. */
interface Edge {
  start: number
  end: number
  isTooMuch: boolean
}

/** @param sumsFrom the beginning of a bucket; earlier rows are read from the log */
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
    // Nothing has been spent in the future yet.
    const isTooMuch = Math.min(after, Date.now() / 1000) - stop < stop - before
    buckets.to = isTooMuch ? after : before
    const edge = isTooMuch ? { start: stop, end: after - 1 } : { start: before, end }
    buckets.edges.push({ ...edge, isTooMuch })
  }
  return buckets
}

interface Rows {
  /** Empty if there are none. */
  sql: string
  values: Record<string, number>
}

const rowsOf = ({ where }: LogFilter) =>
  `FROM logs ${where === '' ? 'WHERE' : `${where} AND`} ${isSpend}`

/** Rows that are newer than the sums. The border is given twice: as a number, so that PostgreSQL plans for few rows,
 *  and by a subquery, which is right at the moment of the statement. */
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

/** The kind of sums that answers a question, and the subjects to add up. Without a kind, quarters answer it. */
interface Summed {
  name: KindName | undefined
  subjects: readonly string[]
  /** The sums of all are taken, less those of these subjects. */
  areLeftOut?: boolean
}

function subjectsOf({
  users,
  name,
  models,
  leftOut,
  channel,
  group,
  token,
  tokenId,
}: LogQuestion): Summed | undefined {
  if (name !== undefined || tokenId !== undefined) return undefined
  const found: Summed[] = []
  if (users !== undefined) found.push({ name: 'user', subjects: users.map(String) })
  if (token !== undefined) found.push({ name: 'token', subjects: [token] })
  if (channel !== undefined) found.push({ name: 'channel', subjects: [String(channel)] })
  if (group !== undefined && models !== undefined) {
    const subjects = models.map((model) => groupModel(group, model))
    found.push({ name: 'group model', subjects })
  } else if (group !== undefined) found.push({ name: 'group', subjects: [group] })
  // A row without a model matches no pattern.
  else if (leftOut !== undefined)
    found.push({ name: 'model', subjects: ['', ...leftOut], areLeftOut: true })
  else if (models !== undefined) found.push({ name: 'model', subjects: models })
  if (found.length > 1) return undefined
  return found[0] ?? { name: undefined, subjects: [] }
}
