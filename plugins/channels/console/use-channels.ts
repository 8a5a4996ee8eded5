import { useCallback } from 'react'
import { channelStatus, toast, useList, useTexts } from '#console'
import type { Channel } from './channel.ts'
import { useTags } from './channel-types.ts'
import { channelCalls } from './channel-calls.ts'
import type { ListModes } from './list-modes.tsx'
import { groupByTag, isTagRow, type Row } from './tag-rows.ts'

const noFilters = {
  keyword: '',
  status: '',
  type: '',
  group: '',
  model: '',
  tag: '',
  sort: '',
  order: '',
}
export type ChannelFilters = typeof noFilters

const isChannel = (row: Row): row is Channel => !isTagRow(row)

/** The list, and what is changed right in its rows. */
const accepts = {
  status: Object.values(channelStatus).map(String),
  type: 'number',
  sort: ['id', 'used_quota', 'response_time', 'balance', 'priority'],
} as const

export function useChannels({ isByTag, isById }: ListModes) {
  const t = useTexts('channels')
  const list = useList<Row, ChannelFilters>('/api/channel/', {
    filters: noFilters,
    accepts,
    shape: 'array',
    firstPage: 0,
    fixed: { id_sort: isById, tag_mode: isByTag },
    arrange: isByTag ? (rows) => groupByTag(rows.filter(isChannel)) : undefined,
  })
  const { refresh: refreshRows } = list
  const { refresh: refreshTags } = useTags()
  const refresh = useCallback(async () => {
    await Promise.all([refreshRows(), refreshTags()])
  }, [refreshRows, refreshTags])
  const saveNumber = useCallback(
    async (row: Row, field: 'priority' | 'weight', value: number) => {
      const change = { [field]: value }
      if (isTagRow(row)) await channelCalls.editTag({ tag: row.tag, ...change })
      else await channelCalls.change(row.id, change)
      await refresh()
    },
    [refresh],
  )
  const updateBalance = useCallback(
    async (channel: Channel) => {
      await channelCalls.balance(channel.id)
      toast.success(t('balance.updated', { name: channel.name }))
      await refresh()
    },
    [refresh, t],
  )
  return { list: { ...list, refresh }, saveNumber, updateBalance }
}
