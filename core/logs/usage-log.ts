import { logType } from '../contract/constants.ts'
import type { DatabaseService } from '../contract/services.ts'
import type { LogRecord, UsageLogService } from '../contract/money-services.ts'
import { channelModel } from '../data/models/channel.ts'
import { plainRows } from '../data/models/define-model.ts'
import { logFilter } from './log-filters-sql.ts'
import {
  countLogs,
  deleteLogsBefore,
  searchLogs,
  selectLogs,
  sumLogs,
  type FoundRow,
} from './usage-log-sql.ts'

/** Above so many matches a total stops being counted. */
const exactTotal = 10_000
const newestFound = 100
const minuteSeconds = 60

/** Reads the usage log; its rows are written by the ledger. */
export function createUsageLog({ database }: { database: DatabaseService }): UsageLogService {
  return {
    list: async (query, { page, pageSize }) => {
      const filter = await logFilter(database, query)
      if (filter === undefined) return { items: [], total: 0, total_exact: true }
      const total = await countLogs(database, filter, exactTotal)
      const offset = (page - 1) * pageSize
      const rows = await selectLogs(database, filter, { limit: pageSize, offset })
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
      if (userId !== undefined && type === -1) return []
      const wanted = { type, userId, start: keyword.toLowerCase() }
      return withChannelNames(database, await searchLogs(database, wanted, newestFound))
    },

    deleteBefore: (timestampSeconds) => deleteLogsBefore(database, timestampSeconds),
  }
}

async function sumOf(
  database: DatabaseService,
  query: Parameters<UsageLogService['stat']>[0],
): Promise<{ quota: number; calls: number; tokens: number }> {
  const filter = await logFilter(database, query)
  return filter === undefined ? { quota: 0, calls: 0, tokens: 0 } : sumLogs(database, filter)
}

async function withChannelNames(
  database: DatabaseService,
  rows: readonly FoundRow[],
): Promise<LogRecord[]> {
  const ids = [...new Set(rows.map(({ channel }) => channel))].filter((id) => id !== 0)
  const options = { where: { id: ids }, attributes: ['id', 'name'] }
  const channels = ids.length === 0 ? [] : await channelModel(database).findAll(options)
  const names = new Map(plainRows(channels).map(({ id, name }) => [id, name]))
  return rows.map((row) => ({
    ...row,
    is_stream: Boolean(row.is_stream),
    channel_name: names.get(row.channel) ?? '',
  }))
}
