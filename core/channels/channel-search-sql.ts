import type { ChannelService, ChannelRecord, DatabaseService } from '../contract/services.ts'
import { type ChannelRow, toChannelRecord } from '../data/models/channel.ts'
import { selectChannels } from './routing-sql.ts'

type SearchQuery = Parameters<ChannelService['search']>[0]

const orders = { byId: 'id DESC', byPriority: 'priority DESC, id DESC' }

/** @param keyHash of the keyword, for keys are stored sealed */
export async function searchChannels(
  database: DatabaseService,
  query: SearchQuery,
  keyHash: string,
): Promise<ChannelRecord[]> {
  const conditions = [`LOWER(models) LIKE LOWER(:model) ESCAPE '!'`]
  const values: Record<string, unknown> = { model: containing(query.model.trim()) }
  const keyword = query.keyword.trim()
  if (keyword !== '') {
    const isId = /^\d{1,15}$/.test(keyword) ? 'id = :id OR' : ''
    conditions.push(`(${isId} LOWER(name) LIKE LOWER(:name) ESCAPE '!' OR key_hash = :keyHash)`)
    Object.assign(values, { id: Number(keyword), name: containing(keyword), keyHash })
  }
  const group = query.group.trim()
  if (group !== '' && group !== 'null') {
    conditions.push(`',' || "group" || ',' LIKE :group ESCAPE '!'`)
    values['group'] = containing(`,${group},`)
  }
  const where = conditions.join(' AND ')
  const rows = query.tagMode
    ? await database.select<ChannelRow>(
        `${selectChannels} WHERE tag <> '' AND tag IN (SELECT tag FROM channels WHERE ${where})
         ORDER BY tag, ${orderOf(query.idSort)}`,
        values,
      )
    : await database.select<ChannelRow>(
        `${selectChannels} WHERE ${where} ORDER BY ${orderOf(query.idSort)}`,
        values,
      )
  return rows.map(toChannelRecord)
}

/** A page is so many tags, with all their channels. */
export async function listTags(
  database: DatabaseService,
  page: { limit: number; offset: number },
  idSort: boolean,
) {
  const rows = await database.select<ChannelRow>(
    `${selectChannels} WHERE tag IN (
       SELECT DISTINCT tag FROM channels WHERE tag <> '' ORDER BY tag LIMIT :limit OFFSET :offset
     ) ORDER BY tag, ${orderOf(idSort)}`,
    page,
  )
  const total = await count(
    database,
    `SELECT COUNT(DISTINCT tag) AS total FROM channels WHERE tag <> ''`,
  )
  return { items: rows.map(toChannelRecord), total }
}

async function count(database: DatabaseService, sql: string): Promise<number> {
  const [row] = await database.select<{ total: number }>(sql)
  return row?.total ?? 0
}

function orderOf(idSort: boolean): string {
  return idSort ? orders.byId : orders.byPriority
}

/** A LIKE pattern that takes the text as it stands; `!` escapes. */
function containing(text: string): string {
  return `%${text.replace(/[!%_]/g, '!$&')}%`
}
