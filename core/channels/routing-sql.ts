import type { DatabaseService } from '../contract/services.ts'
import { type ChannelRow, selectChannels } from '../data/models/channel.ts'

/** All rows at once, for the routing index: plain SQL spares thousands of model objects. */
export function loadChannels(database: DatabaseService): Promise<ChannelRow[]> {
  return database.select<ChannelRow>(`${selectChannels} ORDER BY id`)
}
