import { logType } from '../contract/constants.ts'
import type { DatabaseService } from '../contract/services.ts'
import type { LogRecord, UsageLogService } from '../contract/money-services.ts'
import { recordColumns } from '../data/models/log.ts'
import { logFilter } from './log-filters.ts'

/** Above so many matches a total stops being counted. */
const exactTotal = 10_000
const newestFound = 100
/** Rows deleted in one statement, so that settlements get their turn in between. */
const deletedAtOnce = 2_000
const minuteSeconds = 60

/** SQLite gives 0 and 1 for truth values. */
type FoundRow = Omit<LogRecord, 'channel_name' | 'is_stream'> & { is_stream: boolean | number }

/** Reads the usage log; its rows are written by the ledger. */
export function createUsageLog({ database }: { database: DatabaseService }): UsageLogService {
  return {
    list: async (query, page) => {
      const filter = await logFilter(database, query)
      if (filter === undefined) return { items: [], total: 0, total_exact: true }
      const { where, order, replacements } = filter
      const [counted] = await database.select<{ total: number }>(
        `SELECT COUNT(*) AS total FROM (SELECT 1 FROM logs ${where} LIMIT ${exactTotal + 1}) AS counted`,
        replacements,
      )
      const rows = await database.select<FoundRow>(
        `SELECT ${recordColumns} FROM logs ${where} ORDER BY ${order} LIMIT :limit OFFSET :offset`,
        { ...replacements, limit: page.pageSize, offset: (page.page - 1) * page.pageSize },
      )
      const total = counted?.total ?? 0
      return {
        items: await withChannelNames(database, rows),
        total: Math.min(total, exactTotal),
        total_exact: total <= exactTotal,
      }
    },

    stat: async ({ start, end, ...query }) => {
      // Only consumption counts, whatever type was asked for; the rates look at the last minute, whatever the span.
      const consumption = { ...query, type: logType.consume }
      const lastMinute = { start: Math.floor(Date.now() / 1000) - minuteSeconds }
      const spent = await sumOf(database, { ...consumption, start, end })
      const recent = await sumOf(database, { ...consumption, ...lastMinute })
      return { quota: spent.quota, rpm: recent.calls, tpm: recent.tokens }
    },

    search: async (keyword, userId) => {
      const type = /^\d{1,9}$/.test(keyword.trim()) ? Number(keyword) : -1
      const isOwn = userId !== undefined
      if (isOwn && type === -1) return []
      const start = `${escapeLike(keyword.toLowerCase())}%`
      const where = isOwn
        ? 'user_id = :userId AND type = :type'
        : `(type = :type OR lower(content) LIKE :start ESCAPE '!')`
      const rows = await database.select<FoundRow>(
        `SELECT ${recordColumns} FROM logs WHERE ${where} ORDER BY id DESC LIMIT ${newestFound}`,
        isOwn ? { userId, type } : { type, start },
      )
      return withChannelNames(database, rows)
    },

    deleteBefore: async (timestampSeconds) => {
      let deleted = 0
      for (;;) {
        const count = await database.run(
          `DELETE FROM logs WHERE id IN
          (SELECT id FROM logs WHERE created_at < :timestampSeconds ORDER BY created_at LIMIT ${deletedAtOnce})`,
          { timestampSeconds },
        )
        deleted += count
        if (count < deletedAtOnce) return deleted
      }
    },
  }
}

async function sumOf(
  database: DatabaseService,
  query: Parameters<UsageLogService['stat']>[0],
): Promise<{ quota: number; calls: number; tokens: number }> {
  const filter = await logFilter(database, query)
  if (filter === undefined) return { quota: 0, calls: 0, tokens: 0 }
  const [sums] = await database.select<{ quota: number; calls: number; tokens: number }>(
    `SELECT CAST(COALESCE(SUM(quota), 0) AS BIGINT) AS quota, COUNT(*) AS calls,
    CAST(COALESCE(SUM(prompt_tokens + completion_tokens), 0) AS BIGINT) AS tokens
    FROM logs ${filter.where}`,
    filter.replacements,
  )
  return sums ?? { quota: 0, calls: 0, tokens: 0 }
}

async function withChannelNames(
  database: DatabaseService,
  rows: readonly FoundRow[],
): Promise<LogRecord[]> {
  const ids = [...new Set(rows.map(({ channel }) => channel))].filter((id) => id !== 0)
  const channels =
    ids.length === 0
      ? []
      : await database.select<{ id: number; name: string }>(
          'SELECT id, name FROM channels WHERE id IN (:ids)',
          { ids },
        )
  const names = new Map(channels.map(({ id, name }) => [id, name]))
  return rows.map((row) => ({
    ...row,
    is_stream: Boolean(row.is_stream),
    channel_name: names.get(row.channel) ?? '',
  }))
}

/** For a LIKE whose ESCAPE is `!`. */
function escapeLike(text: string): string {
  return text.replaceAll(/[!%_]/g, '!$&')
}
