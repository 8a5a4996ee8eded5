import type { OrderItem } from 'sequelize'
import type { ChannelRecord, ChannelService, DatabaseService } from '../contract/services.ts'
import { channelColumns, channelModel, toChannelRecord } from '../data/models/channel.ts'
import { plainRows } from '../data/models/define-model.ts'
import { listTags } from './channel-search-sql.ts'

type ListQuery = Parameters<ChannelService['list']>[0]

const byId: OrderItem[] = [['id', 'DESC']]
const byPriority: OrderItem[] = [['priority', 'DESC'], ...byId]

/** `p` counts from 0. In tag mode a page is that many tags, with all their channels. */
export async function listChannels(
  database: DatabaseService,
  query: ListQuery,
): Promise<{ items: ChannelRecord[]; total: number }> {
  const page = { limit: query.pageSize, offset: query.p * query.pageSize }
  if (query.tagMode) return listTags(database, page, query.idSort)
  const model = channelModel(database)
  const order = query.idSort ? byId : byPriority
  const rows = plainRows(await model.findAll({ attributes: channelColumns, order, ...page }))
  return { items: rows.map(toChannelRecord), total: await model.count() }
}
