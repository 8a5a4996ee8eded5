import { type BulkAction, type Texts, channelStatus } from '#console'
import type { Channel } from './channel.ts'
import { channelCalls, testChannel } from './channel-calls.ts'
import { isTagRow, type Row } from './tag-rows.ts'

/** `askTag` resolves to undefined when the person thinks better of it. */
export function bulkActions(
  t: Texts,
  askTag: () => Promise<string | undefined>,
): BulkAction<Row>[] {
  const status = (value: number) => async (rows: readonly Row[]) => {
    await channelCalls.setStatus(idsOf(rows), value)
  }
  return [
    { label: t('action.enable'), run: status(channelStatus.enabled) },
    { label: t('action.disable'), run: status(channelStatus.disabledByHand) },
    {
      label: t('action.test'),
      runEach: (row) => (isTagRow(row) ? Promise.resolve() : testChannel(row.id)),
    },
    {
      label: t('action.setTag'),
      run: async (rows) => {
        const tag = await askTag()
        if (tag === undefined) return false
        const count = await channelCalls.setTag(idsOf(rows), tag)
        return t(tag ? 'tagged' : 'untagged', { count, tag })
      },
    },
    {
      label: t('action.delete'),
      isDanger: true,
      confirm: (rows) => ({
        title: t('deleteManyTitle', { count: channelsOf(rows).length }),
        content: t('deleteManyText'),
        confirmLabel: t('action.delete'),
        isDanger: true,
      }),
      run: async (rows) => {
        const count = await channelCalls.removeMany(idsOf(rows))
        return t('deletedMany', { count })
      },
    },
  ]
}

function idsOf(rows: readonly Row[]): number[] {
  return channelsOf(rows).map(({ id }) => id)
}

function channelsOf(rows: readonly Row[]): Channel[] {
  return rows.filter((row): row is Channel => !isTagRow(row))
}
