import type { DatabaseService } from '../contract/services.ts'
import { channelColumns, type ChannelRow } from '../data/models/channel.ts'

export const selectChannels = `SELECT ${channelColumns.map((column) => `"${column}"`).join(', ')} FROM channels`

/** All rows at once, for the routing index: plain SQL spares thousands of model objects. */
export function loadChannels(database: DatabaseService): Promise<ChannelRow[]> {
  return database.select<ChannelRow>(`${selectChannels} ORDER BY id`)
}
