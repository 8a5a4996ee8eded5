import { type Action, type List, type Texts, toast, channelStatus } from '#console'
import { type Channel, deadKeysOf } from './channel.ts'
import { channelCalls, offerToEnable, testWithToast, waitsForTest } from './channel-calls.ts'
import { isTagRow, type Row, type TagRow } from './tag-rows.ts'

export interface ActionTools {
  t: Texts
  list: Pick<List<Row>, 'refresh'>
  edit: (channel: Channel) => void
  editTag: (row: TagRow) => void
  /** Opens the dialog with a choice of models. */
  test: (channel: Channel) => void
  /** Opens the list of keys that their provider refused. */
  showKeys: (channel: Channel) => void
}

export function rowActions(row: Row, tools: ActionTools): Action[] {
  return isTagRow(row) ? tagActions(row, tools) : channelActions(row, tools)
}

function channelActions(channel: Channel, tools: ActionTools): Action[] {
  const { t, list } = tools
  const { id, name } = channel
  const isOn = channel.status === channelStatus.enabled
  const status = isOn ? channelStatus.disabledByHand : channelStatus.enabled
  const done = async (sentence: string) => {
    toast.success(sentence)
    await list.refresh()
  }
  return [
    { label: t('action.test'), run: () => quickTest(channel, tools) },
    { label: t('action.edit'), run: () => tools.edit(channel) },
    {
      label: t(isOn ? 'action.disable' : 'action.enable'),
      run: async () => {
        await channelCalls.change(id, { status })
        await list.refresh()
      },
    },
    { label: t('action.testModel'), run: () => tools.test(channel) },
    ...(deadKeysOf(channel)
      ? [{ label: t('action.refusedKeys'), run: () => tools.showKeys(channel) }]
      : []),
    {
      label: t('action.copy'),
      run: async () => {
        await channelCalls.copy(id)
        await done(t('copied', { name }))
      },
    },
    {
      label: t('action.delete'),
      isDanger: true,
      confirm: () => ({
        title: t('deleteTitle', { name }),
        content: t('deleteText'),
        confirmLabel: t('action.delete'),
        isDanger: true,
        typeToConfirm: name.trim() || String(id),
      }),
      run: async () => {
        await channelCalls.remove(id)
        await done(t('deleted', { name }))
      },
    },
  ]
}

/** One call with the channel's own test model. */
async function quickTest(channel: Channel, { t, list }: ActionTools): Promise<void> {
  const seconds = await testWithToast(channel.id, channel.name, t)
  await list.refresh()
  if (seconds === undefined || !waitsForTest(channel)) return
  await offerToEnable(channel, seconds, t)
  await list.refresh()
}

function tagActions(row: TagRow, { t, list, editTag }: ActionTools): Action[] {
  const switchAll = (isOn: boolean) => async () => {
    await channelCalls.switchTag(row.tag, isOn)
    await list.refresh()
  }
  const on = row.channels.filter(({ status }) => status === channelStatus.enabled).length
  const enableAll = { label: t('action.enableAll'), run: switchAll(true) }
  const disableAll = {
    label: t('action.disableAll'),
    confirm: () => ({
      title: t('disableTagTitle', { tag: row.tag }),
      content: t('disableTagText', { count: row.channels.length }),
      confirmLabel: t('action.disableAll'),
    }),
    run: switchAll(false),
  }
  return [
    on < row.channels.length ? enableAll : disableAll,
    { label: t('action.editTag'), run: () => editTag(row) },
    ...(on > 0 && on < row.channels.length ? [disableAll] : []),
  ]
}
