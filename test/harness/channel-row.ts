import type { ChannelRow } from '../../core/data/models/channel.ts'
import { channelRow as schema } from '../../core/data/models/channel.ts'
import { defaultsOf } from '../../core/data/models/define-model.ts'

export type RowFields = Partial<ChannelRow> & { id: number }

export const blankChannel: ChannelRow = { ...defaultsOf(schema), group: 'default' }

/** An enabled channel of type 1 that serves model `m` to group `default`. */
export function channelRow(fields: RowFields): ChannelRow {
  return { ...blankChannel, type: 1, name: `channel ${fields.id}`, models: 'm', ...fields }
}
