import { logType } from '../contract/constants.ts'
import type { DatabaseService } from '../contract/services.ts'
import type { LogRecord, UsageLogQuery, UsageLogService } from '../contract/money-services.ts'
import { deleteLogsBefore } from './log-clearing-sql.ts'
import { type LogFilter, logFilter } from './log-filters-sql.ts'
import { countPair, pairOf, sumPair } from './log-pair-counts-sql.ts'
import { LIMITS } from './log-pairs-sql.ts'
import type { LogQuestion } from './log-question-sql.ts'
import { LogReaders, type ReaderDeps } from './log-readers.ts'
import { summedQuota } from './summed-quota-sql.ts'
import {
  countConsumption,
  countLogs,
  countSpan,
  searchLogs,
  selectChannelNames,
  selectLogs,
  selectLogsAfter,
  selectOfFew,
  sumLogs,
  type FoundRow,
} from './usage-log-sql.ts'

/** Above so many matches a total stops being counted. */
const exactTotal = 10_000
/** Sorted at once. */
const fewRows = 1_000
const newestFound = 100
const minuteSeconds = 60
/** More rows than a minute has; a quarter of an hour, which is where its ids begin, may have many more. */
const mostInMinute = 200_000

export interface UsageLogDeps {
  database: DatabaseService
  /** Whose jobs have read what is deleted. */
  readers?: ReaderDeps
  settleMs?: number
  /** Of how many ids what two values have in common is counted together. */
  pairBlock?: number
}

/** Reads the usage log; its rows are written by the ledger. */
export function createUsageLog({
  database,
  readers,
  settleMs,
  pairBlock: block = LIMITS.block,
}: UsageLogDeps): UsageLogService {
  return {
    list: async (query, { page, pageSize }) => {
      const filter = await logFilter(database, query)
      if (filter === undefined) return { items: [], total: 0, total_exact: true }
      const total = await totalOf(database, query, { filter, block })
      if (total === 0) return { items: [], total, total_exact: true }
      const offset = (page - 1) * pageSize
      const select = filter.isOfPieces && total <= fewRows ? selectOfFew : selectLogs
      const rows = await select(database, filter, { limit: pageSize, offset })
      return {
        items: await withChannelNames(database, rows),
        total: Math.min(total, exactTotal),
        total_exact: total <= exactTotal,
      }
    },

    slices: (query, size) => slicesOf(database, query, size),

    channelNames: (ids) => channelNames(database, ids),

    stat: async ({ start, end, ...query }) => {
      // Only consumption counts, whatever type was asked for; the rates look at the last minute, whatever the span.
      const consumption = { ...query, type: logType.consume }
      const lastMinute = { start: Math.floor(Date.now() / 1000) - minuteSeconds }
      const spent = await spentOf(database, { ...consumption, start, end }, block)
      const recent = await sumOf(database, { ...consumption, ...lastMinute }, mostInMinute)
      return { quota: spent, rpm: recent.calls, tpm: recent.tokens }
    },

    search: async (keyword, userId) => {
      const type = /^\d{1,9}$/.test(keyword.trim()) ? Number(keyword) : -1
      if (userId !== undefined && type === -1) return []
      const wanted = { type, userId, start: keyword.toLowerCase() }
      return withChannelNames(database, await searchLogs(database, wanted, newestFound))
    },

    deleteBefore: (timestampSeconds, most = Number.MAX_SAFE_INTEGER, watch = {}) => {
      const deletion = { timestampSeconds, most, watch, readers: new LogReaders(readers), settleMs }
      return deleteLogsBefore(database, deletion)
    },
  }
}

async function totalOf(
  database: DatabaseService,
  { type, start, end, ...narrowing }: UsageLogQuery,
  { filter, block }: { filter: LogFilter; block: number },
): Promise<number> {
  // So many rows have a model that they are counted as quickly as those who have which.
  const isOfRequest = narrowing.requestId !== undefined
  const isOfPair = !isOfRequest && !filter.question.areAll
  const pair = isOfPair ? pairOf(filter.question) : undefined
  const ofConsumption = type === logType.consume
  // All others are found by an index on their type.
  if (pair !== undefined && (type === undefined || ofConsumption)) {
    const rows = await logFilter(database, narrowing)
    const options = { start, end, block, ofConsumption, most: exactTotal }
    const counted = rows && (await countPair(database, { ...rows, pair }, options))
    if (counted !== undefined) return counted
  }
  const isOfSpan = start !== undefined || end !== undefined
  if (ofConsumption && !isOfSpan && !isOfRequest && isOfOneIndex(filter.question)) {
    const rows = await logFilter(database, narrowing)
    const counted = rows && (await countConsumption(database, rows, exactTotal))
    if (counted !== undefined) return counted
  }
  // No index of all rows knows their type, so that each row would be looked at.
  return isOfSpan && type === undefined && !filter.isOfIndex
    ? countSpan(database, filter, { start, end, most: exactTotal })
    : countLogs(database, filter, exactTotal)
}

/** Whether the question names a customer, a channel or a model and nothing else: each has an index, and another with the type. */
function isOfOneIndex({
  users,
  channel,
  models,
  areAll,
  leftOut: _leftOut,
  ...others
}: LogQuestion): boolean {
  const channels = channel === undefined ? undefined : [channel]
  const [named, ...more] = [users, channels, areAll ? undefined : models].filter(
    (values) => values !== undefined,
  )
  return named?.length === 1 && more.length === 0 && Object.keys(others).length === 0
}

async function spentOf(
  database: DatabaseService,
  query: UsageLogQuery,
  block: number,
): Promise<number> {
  // One call is in no sum.
  if (query.requestId !== undefined) return (await sumOf(database, query)).quota
  const { type: _all, start, end, ...narrowing } = query
  const rows = await logFilter(database, narrowing)
  if (rows === undefined) return 0
  const pair = pairOf(rows.question)
  return (
    (await summedQuota(database, query, rows)) ??
    (pair && (await sumPair(database, { ...rows, pair }, { start, end, block }))) ??
    (await sumOf(database, query)).quota
  )
}

async function sumOf(
  database: DatabaseService,
  query: Parameters<UsageLogService['stat']>[0],
  most?: number,
): Promise<{ quota: number; calls: number; tokens: number }> {
  const filter = await logFilter(database, query)
  return filter === undefined ? { quota: 0, calls: 0, tokens: 0 } : sumLogs(database, filter, most)
}

async function* slicesOf(
  database: DatabaseService,
  query: UsageLogQuery,
  size: number,
): AsyncGenerator<LogRecord[]> {
  const filter = await logFilter(database, query)
  if (filter === undefined) return
  let last: FoundRow | undefined
  for (;;) {
    const rows: FoundRow[] = await selectLogsAfter(database, filter, { last, size })
    if (rows.length > 0) yield await withChannelNames(database, rows)
    last = rows.at(-1)
    if (last === undefined || rows.length < size) return
  }
}

async function channelNames(
  database: DatabaseService,
  wanted: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const ids = [...new Set(wanted)].filter((id) => id > 0)
  if (ids.length === 0) return new Map()
  const channels = await selectChannelNames(database, ids)
  return new Map(channels.map(({ id, name }) => [id, name]))
}

async function withChannelNames(
  database: DatabaseService,
  rows: readonly FoundRow[],
): Promise<LogRecord[]> {
  const names = await channelNames(
    database,
    rows.map(({ channel }) => channel),
  )
  return rows.map((row) => ({
    ...row,
    is_stream: Boolean(row.is_stream),
    channel_name: names.get(row.channel) ?? '',
  }))
}
