// Pages, counts and sums of the log. They share one filter, and all of them walk indexes, because the log has many rows.
import { CHANNEL_TEST, logType } from '../contract/constants.ts'
import type { DatabaseService } from '../contract/services.ts'
import type { LogRecord } from '../contract/money-services.ts'
import { foldedLike, literally } from '../data/folded-like.ts'
import { recordColumns, recordNames } from '../data/models/log.ts'
import { selectMany } from '../data/select-many-sql.ts'
import { idsInside, lastSummed, type TimeSpan } from './log-quarters-sql.ts'
import { fewFirst, type LogFilter } from './log-filters-sql.ts'

/** SQLite returns booleans as 0 and 1. */
export type FoundRow = Omit<LogRecord, 'channel_name' | 'is_stream'> & {
  is_stream: boolean | number
}

/** Characters of the beginning of a text. */
const charactersIndexed = 64
/** A text search looks at this many of the newest rows of calls, and of any other type for which an index would find too many. */
const rowsSearched = 20_000
const frequent = 2_000
/** Looked at first, of each type. */
const rowsFirst = 1_000
const isOther = `type <> ${logType.consume}`
const otherTypes = Object.values(logType).filter((type) => type !== logType.consume)

/** Counts matches up to one more than `most`. */
export async function countLogs(
  database: DatabaseService,
  { where, replacements, order, isOfIndex }: LogFilter,
  most: number,
): Promise<number> {
  const total = await fewFirst({ order, isOfIndex }, `LIMIT ${most + 1}`, async (limit) => {
    const [counted] = await database.select<{ total: number }>(
      `SELECT COUNT(*) AS total FROM (SELECT 1 FROM logs ${where} ${limit}) AS counted`,
      replacements,
    )
    return counted && { found: counted.total, rows: counted.total }
  })
  return total ?? 0
}

/** Counts consumption of one customer, channel or model up to one more than `most`. No index of all rows knows their type, so that each row would be
 *  looked at; the few of other types have indexes of their own.
 *  @param filter without type
 *  @returns undefined if there are many of other types */
export async function countConsumption(
  database: DatabaseService,
  filter: LogFilter,
  most: number,
): Promise<number | undefined> {
  const { where, replacements } = filter
  const [counted] = await database.select<{ others: number }>(
    `SELECT COUNT(*) AS others FROM (SELECT 1 FROM logs ${where} AND ${isOther} AND type IN (${otherTypes.join(', ')}) LIMIT ${most + 1}) AS counted`,
    replacements,
  )
  const others = counted?.others ?? 0
  return others > most ? undefined : (await countLogs(database, filter, most + others)) - others
}

/** Counts matches in a span of time. Between the first and the last id of its whole quarters the time of a row need not be
 *  looked at: there an index counts. In one statement, for the job may move on between two. */
export async function countSpan(
  database: DatabaseService,
  { untimed, span, replacements }: LogFilter,
  { most, start = 0, end = Number.MAX_SAFE_INTEGER }: TimeSpan & { most: number },
): Promise<number> {
  const summed = await lastSummed(database)
  const { first, last } = await idsInside(database, { start, end })
  const count = (condition: string) =>
    `(SELECT COUNT(*) FROM (SELECT 1 FROM logs ${untimed === '' ? 'WHERE' : `${untimed} AND`} ${condition} LIMIT ${most + 1}) AS part)`
  const inTime = 'created_at >= :from AND created_at <= :to'
  // One bound of ids on each side: of two, SQLite takes any.
  const inside = count('id >= :insideFirst AND id <= :insideLast')
  const before = count(`id >= :first AND id < :insideFirst AND ${inTime}`)
  const behind = count(`id > :insideLast AND id <= :last AND ${inTime}`)
  const insideLast = Math.max(first - 1, Math.min(last, summed))
  const [counted] = await database.select<{ total: number }>(
    `SELECT ${inside} + ${before} + ${behind} AS total`,
    {
      ...replacements,
      from: start,
      to: end,
      first: span.first,
      last: span.last ?? Number.MAX_SAFE_INTEGER,
      insideFirst: first,
      insideLast,
    },
  )
  return Math.min(counted?.total ?? 0, most + 1)
}

export function selectLogs(
  database: DatabaseService,
  { where, replacements, order }: LogFilter,
  page: { limit: number; offset: number },
): Promise<FoundRow[]> {
  return database.select<FoundRow>(
    `SELECT ${recordColumns} FROM logs ${where} ORDER BY ${order} LIMIT :limit OFFSET :offset`,
    { ...replacements, ...page },
  )
}

/** For a filter that matches few rows: PostgreSQL would walk the whole log in the order of the page to find them. */
export function selectOfFew(
  database: DatabaseService,
  { where, replacements }: LogFilter,
  page: { limit: number; offset: number },
): Promise<FoundRow[]> {
  return database.select<FoundRow>(
    `WITH found AS MATERIALIZED (SELECT id FROM logs ${where})
     SELECT ${recordColumns} FROM logs WHERE id IN (
       SELECT id FROM found ORDER BY id DESC LIMIT :limit OFFSET :offset
     ) ORDER BY id DESC`,
    { ...replacements, ...page },
  )
}

/** Continues after the last row of the previous page; paging by number would read the earlier rows again and again. */
export function selectLogsAfter(
  database: DatabaseService,
  { where, replacements, order }: LogFilter,
  { last, size }: { last: FoundRow | undefined; size: number },
): Promise<FoundRow[]> {
  const behind = `${where === '' ? 'WHERE' : `${where} AND`} id < :lastId`
  return selectMany<FoundRow>(database, {
    sql: `SELECT ${recordColumns} FROM logs ${last === undefined ? where : behind} ORDER BY ${order} LIMIT :size`,
    values: { ...replacements, size, lastId: last?.id },
    columns: recordNames,
  })
}

/** By a model, two hundred names of a slice take as long as its rows. */
export function selectChannelNames(
  database: DatabaseService,
  ids: readonly number[],
): Promise<{ id: number; name: string }[]> {
  return database.select('SELECT id, name FROM channels WHERE id IN (:ids)', { ids })
}

interface RowSums {
  quota: number
  calls: number
  tokens: number
}

/** Sums matching rows, without tests of channels. With `most`, only among so many of the newest rows of the log. */
export async function sumLogs(
  database: DatabaseService,
  { where, replacements, order, isOfIndex }: LogFilter,
  most = Number.MAX_SAFE_INTEGER,
): Promise<RowSums> {
  const [log] = await database.select<{ id: number | null }>('SELECT MAX(id) AS id FROM logs')
  const values = {
    ...replacements,
    oldest: Math.max(0, (log?.id ?? 0) - most),
    testName: CHANNEL_TEST,
  }
  const found = await fewFirst({ order, isOfIndex }, '', async (limit) => {
    const [sums] = await database.select<RowSums>(
      `SELECT CAST(COALESCE(SUM(quota), 0) AS BIGINT) AS quota, COUNT(*) AS calls,
      CAST(COALESCE(SUM(prompt_tokens + completion_tokens), 0) AS BIGINT) AS tokens
      FROM (
        SELECT quota, prompt_tokens, completion_tokens FROM logs ${where === '' ? 'WHERE' : `${where} AND`} id > :oldest
        AND NOT (token_id = 0 AND token_name = :testName) ${limit}
      ) AS found`,
      values,
    )
    return sums && { found: sums, rows: sums.calls }
  })
  return found ?? { quota: 0, calls: 0, tokens: 0 }
}

/** The newest rows of a type, of one user or of all. Among the rows of all, also those whose text begins with the search. The texts of
 *  calls only state how a price was made, so they are searched among the newest rows only. Other texts are found by an index of their
 *  beginning; if too many begin alike, they are searched among the newest rows of each type. */
export async function searchLogs(
  database: DatabaseService,
  { type, userId, start }: { type: number; userId: number | undefined; start: string },
  limit: number,
): Promise<FoundRow[]> {
  const newest = `ORDER BY id DESC LIMIT ${limit}`
  // Said as a literal: the partial indexes are not used for a bound value.
  const ofType = `type = :type${type === logType.consume ? '' : ` AND ${isOther}`}`
  if (userId !== undefined)
    return database.select<FoundRow>(
      `SELECT ${recordColumns} FROM logs WHERE user_id = :userId AND ${ofType} ${newest}`,
      { userId, type },
    )
  const [log] = await database.select<{ id: number | null }>('SELECT MAX(id) AS id FROM logs')
  const { condition, values } = textOf(database.dialect, start)
  const matches = foldedLike(database.dialect, 'content', { name: ':pattern', word: start })
  const calls = `SELECT id FROM logs WHERE type = ${logType.consume} AND id > :oldest AND ${matches} ${newest}`
  const among = (most: number) =>
    otherTypes.map(
      (other) =>
        `SELECT id FROM (SELECT id, content FROM logs WHERE type = ${other} AND ${isOther} AND id > :after ORDER BY id DESC LIMIT ${most}) AS part WHERE ${matches} ${newest}`,
    )
  const isFrequent = await hasMany(database, { condition, values })
  const given = { ...values, type, oldest: (log?.id ?? 0) - rowsSearched, after: 0 }
  if (isFrequent) {
    // What is older than the page is in no other type's page either: types without a match are not searched further.
    const first = await database.select<{ id: number }>(
      `${unionOf([...among(rowsFirst), calls])} ${newest}`,
      given,
    )
    given.after = (first[limit - 1]?.id ?? 1) - 1
    given.oldest = Math.max(given.oldest, given.after)
  }
  const others = isFrequent
    ? among(rowsSearched)
    : [`SELECT id FROM logs WHERE ${isOther} AND ${condition} AND ${matches} ${newest}`]
  const typed = type === -1 ? [] : [`SELECT id FROM logs WHERE ${ofType} ${newest}`]
  return database.select<FoundRow>(
    `SELECT ${recordColumns} FROM logs WHERE id IN (${unionOf([...typed, ...others, calls])}) ${newest}`,
    given,
  )
}

function unionOf(parts: readonly string[]): string {
  return parts.map((sql) => `SELECT id FROM (${sql}) AS found`).join(' UNION ')
}

interface Beginning {
  condition: string
  values: Record<string, string>
}

function textOf(dialect: DatabaseService['dialect'], start: string): Beginning {
  const beginning = beginningOf(dialect)
  const from = Array.from(start).slice(0, charactersIndexed).join('')
  return {
    condition: `${beginning} >= :from AND ${beginning} < :to`,
    values: { pattern: `${literally(start)}%`, from, to: `${from}\u{10FFFF}` },
  }
}

/** So many that the newest of them are found sooner by walking. */
async function hasMany(
  database: DatabaseService,
  { condition, values }: Beginning,
): Promise<boolean> {
  const [counted] = await database.select<{ count: number }>(
    `SELECT COUNT(*) AS count FROM (SELECT 1 FROM logs WHERE ${isOther} AND ${condition} LIMIT ${frequent + 1}) AS counted`,
    values,
  )
  return (counted?.count ?? 0) > frequent
}

/** As the index of 0023-log-beginnings says it. */
function beginningOf(dialect: DatabaseService['dialect']): string {
  const beginning = `lower(substr(content, 1, ${charactersIndexed}))`
  return dialect === 'postgres' ? `(${beginning} COLLATE "C")` : beginning
}
