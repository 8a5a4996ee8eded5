import type { ChannelFilter, ChannelSort } from '../contract/channel-services.ts'
import { byName } from '../contract/natural-order.ts'
import type { ChannelService, ChannelRecord, DatabaseService } from '../contract/services.ts'
import { containing, foldedLike } from '../data/folded-like.ts'
import { type ChannelRow, toChannelRecord } from '../data/models/channel.ts'
import { totalOfLast } from '../data/page-of.ts'
import { selectChannels } from './routing/routing-sql.ts'

type ListQuery = Parameters<ChannelService['list']>[0]

const orders = { byId: 'id DESC', byPriority: 'priority DESC, id DESC' }

/** The columns that a list may be sorted by. */
const sortable: Readonly<Record<ChannelSort, string>> = {
  id: 'id',
  used_quota: 'used_quota',
  response_time: 'response_time',
  balance: 'balance',
  priority: 'priority',
}

interface Condition {
  where: string
  values: Record<string, unknown>
}

/** In tag mode a page is that many tags, each with all of its channels.
 *  @param keyHash hash of the keyword, because keys are stored encrypted */
export async function listChannels(
  database: DatabaseService,
  query: ListQuery,
  keyHash: string,
): Promise<{ items: ChannelRecord[]; total: number }> {
  const condition = conditionOf(database, query, keyHash)
  const { offset, limit } = query
  if (query.isByTag) return listTags(database, condition, { offset, limit, order: orderOf(query) })
  const { where, values } = condition
  const order = orderOf(query)
  // Ids alone are sorted: with its lists and texts a row takes several times as long.
  const rows = await selectChannels(
    database,
    `WHERE id IN (
       SELECT id FROM channels WHERE ${where} ORDER BY ${order} LIMIT :limit OFFSET :offset
     ) ORDER BY ${order}`,
    { ...values, offset, limit },
  )
  const sql = `SELECT COUNT(*) AS total FROM channels WHERE ${where}`
  const total = totalOfLast(rows.length, { limit, offset })
  return {
    items: rows.map(toChannelRecord),
    total: total ?? (await count(database, sql, values)),
  }
}

/** A page of tags that have matching channels, each with all of its channels. */
async function listTags(
  database: DatabaseService,
  { where, values }: Condition,
  { order, ...page }: { limit: number; offset: number; order: string },
) {
  const tags = await database.select<{ tag: string; channels: number }>(
    `SELECT tag, COUNT(*) AS channels FROM channels WHERE tag IN (
       SELECT DISTINCT tag FROM channels WHERE tag <> '' AND ${where}
       ORDER BY tag LIMIT :limit OFFSET :offset
     ) GROUP BY tag ORDER BY tag`,
    { ...values, ...page },
  )
  const rows: ChannelRow[] = []
  for (const some of inTurns(tags)) {
    const read = `WHERE tag IN (:tags) ORDER BY tag, ${order}`
    for (const row of await selectChannels(database, read, { tags: some })) rows.push(row)
  }
  const sql = `SELECT COUNT(DISTINCT tag) AS total FROM channels WHERE tag <> '' AND ${where}`
  return { items: rows.map(toChannelRecord), total: await count(database, sql, values) }
}

/** Tags of about so many channels at a time: ten thousand rows are eight megabytes, which are read in one turn of the event loop. */
const CHANNELS_AT_ONCE = 500

function* inTurns(tags: readonly { tag: string; channels: number }[]): Generator<string[]> {
  let some: string[] = []
  let count = 0
  for (const { tag, channels } of tags) {
    some.push(tag)
    count += channels
    if (count < CHANNELS_AT_ONCE) continue
    yield some
    some = []
    count = 0
  }
  if (some.length > 0) yield some
}

/** The tags in use, sorted by name. */
export async function channelTags(database: DatabaseService): Promise<string[]> {
  const rows = await database.select<{ tag: string }>(
    `SELECT DISTINCT tag FROM channels WHERE tag <> ''`,
  )
  return rows.map(({ tag }) => tag).sort(byName)
}

function conditionOf(
  { dialect }: DatabaseService,
  query: ChannelFilter,
  keyHash: string,
): Condition {
  const conditions = ['1 = 1']
  const values: Record<string, unknown> = {}
  const add = (condition: string, more: Record<string, unknown>) => {
    conditions.push(condition)
    Object.assign(values, more)
  }
  const { keyword = '', group = '', model = '' } = trimmed(query)
  if (model !== '')
    add(foldedLike(dialect, 'models', { name: ':model', word: model }), {
      model: containing(model),
    })
  if (keyword !== '') {
    const isId = /^\d{1,15}$/.test(keyword) ? 'id = :id OR' : ''
    const hasName = foldedLike(dialect, 'name', { name: ':name', word: keyword })
    add(`(${isId} ${hasName} OR key_hash = :keyHash)`, {
      id: Number(keyword),
      name: containing(keyword),
      keyHash,
    })
  }
  if (group !== '' && group !== 'null') {
    add(`',' || "group" || ',' LIKE :group ESCAPE '!'`, { group: containing(`,${group},`) })
  }
  if (query.status !== undefined) add('status = :status', { status: query.status })
  if (query.type !== undefined) add('type = :type', { type: query.type })
  if (query.tag !== undefined) add('tag = :tag', { tag: query.tag })
  return { where: conditions.join(' AND '), values }
}

function trimmed({ keyword, group, model }: ChannelFilter) {
  return { keyword: keyword?.trim(), group: group?.trim(), model: model?.trim() }
}

async function count(
  database: DatabaseService,
  sql: string,
  values: Record<string, unknown>,
): Promise<number> {
  const [row] = await database.select<{ total: number }>(sql, values)
  return row?.total ?? 0
}

function orderOf({
  sort,
  isAscending,
  isSortedById,
}: ChannelFilter & { isSortedById: boolean }): string {
  if (sort === undefined) return isSortedById ? orders.byId : orders.byPriority
  return `${sortable[sort]} ${isAscending ? 'ASC' : 'DESC'}, id DESC`
}
