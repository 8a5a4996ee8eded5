import type { DatabaseService } from '../contract/services.ts'
import { channelColumns, type ChannelRow } from '../data/models/channel.ts'

const columnList = (columns: readonly string[]) => columns.map((column) => `"${column}"`).join(', ')

export const selectChannels = `SELECT ${columnList(channelColumns)} FROM channels`

/** Columns that change all the time and do not affect routing. */
const figures = [
  'created_time',
  'test_time',
  'response_time',
  'test_fault',
  'balance',
  'balance_updated_time',
  'used_quota',
  'tag',
] as const satisfies readonly (keyof ChannelRow)[]

/** The columns that a call is routed by. */
export type RoutingRow = Omit<ChannelRow, (typeof figures)[number]>

const isFigure: ReadonlySet<string> = new Set(figures)
export const routingColumns = channelColumns.filter(
  (column) => !isFigure.has(column),
) as (keyof RoutingRow)[]

const selectRouting = `SELECT ${columnList(routingColumns)} FROM channels`

/** The next rows by id. Plain SQL avoids creating thousands of model objects. */
export function loadChannelsAfter(
  database: DatabaseService,
  after: number,
  limit: number,
): Promise<RoutingRow[]> {
  const sql = `${selectRouting} WHERE id > :after ORDER BY id LIMIT :limit`
  return database.select<RoutingRow>(sql, { after, limit })
}

export function loadChannels(
  database: DatabaseService,
  ids: readonly number[],
): Promise<RoutingRow[]> {
  return database.select<RoutingRow>(`${selectRouting} WHERE id IN (:ids) ORDER BY id`, { ids })
}
