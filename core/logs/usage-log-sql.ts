// The log has many rows: pages, counts and sums share one filter and walk its indexes, and deleting gives way to others.
import { CHANNEL_TEST, logType } from '../contract/constants.ts'
import type { DatabaseService } from '../contract/services.ts'
import type { LogRecord } from '../contract/money-services.ts'
import { recordColumns } from '../data/models/log.ts'
import type { LogFilter } from './log-filters-sql.ts'
import { forgetSumsBefore, stepBack } from './log-sums-sql.ts'

/** SQLite gives 0 and 1 for truth values. */
export type FoundRow = Omit<LogRecord, 'channel_name' | 'is_stream'> & {
  is_stream: boolean | number
}

/** Rows deleted in one statement, so that settlements get their turn in between. */
const deletedAtOnce = 2_000

/** Of the beginning of a text. */
const charactersIndexed = 64
/** The newest rows in which a search looks at the texts of calls. */
const callsSearched = 20_000

/** Counts matches up to one more than `most`. */
export async function countLogs(
  database: DatabaseService,
  { where, replacements }: LogFilter,
  most: number,
): Promise<number> {
  const [counted] = await database.select<{ total: number }>(
    `SELECT COUNT(*) AS total FROM (SELECT 1 FROM logs ${where} LIMIT ${most + 1}) AS counted`,
    replacements,
  )
  return counted?.total ?? 0
}

export function selectLogs(
  database: DatabaseService,
  { where, order, replacements }: LogFilter,
  page: { limit: number; offset: number },
): Promise<FoundRow[]> {
  return database.select<FoundRow>(
    `SELECT ${recordColumns} FROM logs ${where} ORDER BY ${order} LIMIT :limit OFFSET :offset`,
    { ...replacements, ...page },
  )
}

/** The place of the last row leads on: pages by number would be read over and over. */
export function selectLogsAfter(
  database: DatabaseService,
  { where, order, after, replacements }: LogFilter,
  { last, size }: { last: FoundRow | undefined; size: number },
): Promise<FoundRow[]> {
  const behind = where === '' ? `WHERE ${after}` : `${where} AND ${after}`
  return database.select<FoundRow>(
    `SELECT ${recordColumns} FROM logs ${last === undefined ? where : behind} ORDER BY ${order} LIMIT :size`,
    { ...replacements, size, lastId: last?.id, lastTime: last?.created_at },
  )
}

/** Tests of channels are no spend. */
export async function sumLogs(
  database: DatabaseService,
  { where, replacements }: LogFilter,
): Promise<{ quota: number; calls: number; tokens: number }> {
  const [sums] = await database.select<{ quota: number; calls: number; tokens: number }>(
    `SELECT CAST(COALESCE(SUM(quota), 0) AS BIGINT) AS quota, COUNT(*) AS calls,
    CAST(COALESCE(SUM(prompt_tokens + completion_tokens), 0) AS BIGINT) AS tokens
    FROM logs ${where === '' ? 'WHERE' : `${where} AND`} NOT (token_id = 0 AND token_name = :testName)`,
    { ...replacements, testName: CHANNEL_TEST },
  )
  return sums ?? { quota: 0, calls: 0, tokens: 0 }
}

/**
 * The newest rows of a type, of one user or of all; those of all also by the beginning of their text. Texts of calls say what a price was made of
 * and are looked through among the newest rows only; all others are found by an index of what they begin with.
 */
export function searchLogs(
  database: DatabaseService,
  { type, userId, start }: { type: number; userId: number | undefined; start: string },
  limit: number,
): Promise<FoundRow[]> {
  const newest = `ORDER BY id DESC LIMIT ${limit}`
  if (userId !== undefined)
    return database.select<FoundRow>(
      `SELECT ${recordColumns} FROM logs WHERE user_id = :userId AND type = :type ${newest}`,
      { userId, type },
    )
  const beginning = beginningOf(database.dialect)
  const matches = `lower(content) LIKE :start ESCAPE '!'`
  // Said as a literal: the partial indexes are not used for a bound value.
  const isCall = `type = ${logType.consume}`
  const isOther = `type <> ${logType.consume}`
  const parts = [
    `type = :type${type === logType.consume ? '' : ` AND ${isOther}`}`,
    `${isOther} AND ${beginning} >= :from AND ${beginning} < :to AND ${matches}`,
    `${isCall} AND id > (SELECT MAX(id) FROM logs) - ${callsSearched} AND ${matches}`,
  ].map((where) => `SELECT id FROM (SELECT id FROM logs WHERE ${where} ${newest}) AS part`)
  const from = Array.from(start).slice(0, charactersIndexed).join('')
  return database.select<FoundRow>(
    `SELECT ${recordColumns} FROM logs WHERE id IN (${parts.join(' UNION ')}) ${newest}`,
    { type, start: `${escapeLike(start)}%`, from, to: `${from}\u{10FFFF}` },
  )
}

/** As the index of 0023-log-beginnings says it. */
function beginningOf(dialect: DatabaseService['dialect']): string {
  const beginning = `lower(substr(content, 1, ${charactersIndexed}))`
  return dialect === 'postgres' ? `(${beginning} COLLATE "C")` : beginning
}

/** @returns how many there were */
export async function deleteLogsBefore(
  database: DatabaseService,
  timestampSeconds: number,
): Promise<number> {
  await forgetSumsBefore(database, timestampSeconds)
  let deleted = 0
  for (;;) {
    const count = await database.transaction(async (transaction) => {
      const sql = `DELETE FROM logs WHERE id IN
        (SELECT id FROM logs WHERE created_at < :timestampSeconds ORDER BY created_at LIMIT ${deletedAtOnce})`
      const gone = await database.run(sql, { timestampSeconds }, transaction)
      await stepBack(database, transaction)
      return gone
    })
    deleted += count
    if (count < deletedAtOnce) return deleted
  }
}

/** For a LIKE whose ESCAPE is `!`. */
function escapeLike(text: string): string {
  return text.replaceAll(/[!%_]/g, '!$&')
}
