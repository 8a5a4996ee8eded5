import type { DatabaseService } from '../../contract/services.ts'
import { channelColumns, type ChannelRow } from '../../data/models/channel.ts'
import { selectMany } from '../../data/select-many-sql.ts'

const columnList = (columns: readonly string[]) => columns.map((column) => `"${column}"`).join(', ')

const selectAll = `SELECT ${columnList(channelColumns)} FROM channels`

/** @param which the clauses of the statement from WHERE on */
export function selectChannels(
  database: DatabaseService,
  which: string,
  values: Record<string, unknown>,
): Promise<ChannelRow[]> {
  const sql = `${selectAll} ${which}`
  return selectMany(database, { sql, values, columns: channelColumns, doubles: ['balance'] })
}

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
  return selectMany(database, { sql, values: { after, limit }, columns: routingColumns })
}

export function loadChannels(
  database: DatabaseService,
  ids: readonly number[],
): Promise<RoutingRow[]> {
  const sql = `${selectRouting} WHERE id IN (:ids) ORDER BY id`
  return selectMany(database, { sql, values: { ids }, columns: routingColumns })
}
