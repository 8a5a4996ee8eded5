import { Alert } from '@arco-design/web-react'
import { useState } from 'react'
import {
  api,
  ApiError,
  confirm,
  EditDrawer,
  formatTime,
  type Texts,
  toast,
  type OpenedRecord,
  useOpenedRecord,
  useTexts,
} from '#console'
import { type Channel, reasonOf } from '../channel.ts'
import {
  bodyOf,
  type ChannelForm,
  emptyChannel,
  endsInVersion,
  formOf,
  shownOf,
  trimAddress,
} from './channel-form.ts'
import { offerToEnable, testWithToast, waitsForTest } from '../channel-calls.ts'
import { ConversionFields } from './conversion-fields.tsx'
import { RoutingFields } from './routing-fields.tsx'
import { UpstreamFields } from './upstream-fields.tsx'
import { ServingFields } from './serving-fields.tsx'
import type { SettingFault } from './setting-field.tsx'

export type Target = { id: number } | 'new' | undefined

/** Makes channels, or edits one; the record is read anew, because a list may be old. */
export function ChannelDrawer({
  target,
  onClose,
  onSaved,
}: {
  target: Target
  onClose: () => void
  onSaved: () => Promise<unknown>
}) {
  const t = useTexts('channels')
  const id = typeof target === 'object' ? target.id : undefined
  const path = id === undefined ? undefined : `/api/channel/${id}`
  const opened = useOpenedRecord(path, formOf)
  const { save, fault } = useSave(target, opened, onSaved)
  const before = id === undefined ? undefined : opened.form
  return (
    <EditDrawer<ChannelForm>
      hasAddress
      title={id === undefined ? t('add') : t('edit', { name: opened.form?.name ?? `#${id}` })}
      isOpen={target !== undefined}
      onClose={onClose}
      initial={target === 'new' ? emptyChannel : opened.form}
      error={opened.error}
      onRetry={opened.retry}
      onSave={save}
      saveLabel={id === undefined ? t('add') : undefined}
      secondLabel={t('saveAndTest')}
      slot={{ id: 'channel', record: opened.record }}
      size="wide"
    >
      {opened.record ? <WhyOff channel={opened.record} /> : null}
      <UpstreamFields record={before} />
      <ServingFields channelId={id} />
      <RoutingFields />
      <ConversionFields record={before} fault={fault} />
    </EditDrawer>
  )
}

function useSave(
  target: Target,
  { form: before, record: channel }: OpenedRecord<Channel, ChannelForm>,
  onSaved: () => Promise<unknown>,
) {
  const t = useTexts('channels')
  const id = typeof target === 'object' ? target.id : undefined
  // Of this opening: the next one has not been refused yet.
  const [refused, setRefused] = useState<{ target: Target; fault: SettingFault | undefined }>()
  const fault = refused && refused.target === target ? refused.fault : undefined
  /** One call each, one after the other, after the drawer has closed. */
  const testAll = async (ids: readonly number[], name: string) => {
    for (const each of ids) {
      const seconds = await testWithToast(each, name, t)
      if (channel?.id !== each || seconds === undefined || !waitsForTest(channel)) continue
      await offerToEnable({ ...channel, name }, seconds, t)
    }
    await onSaved()
  }
  const send = async (form: ChannelForm): Promise<number[]> => {
    if (id === undefined) {
      const made = (await api.post<number[]>('/api/channel/', bodyOf(form))) ?? []
      toast.success(t('made', { count: made.length || 1 }))
      return made
    }
    const body = bodyOf(form, before)
    await api.put('/api/channel/', { ...body, shown: channel && shownOf(body, channel) })
    toast.success(t('saved'))
    return [id]
  }
  const save = async (form: ChannelForm, isTested: boolean) => {
    if (endsInVersion(form.base_url) && !(await confirmVersion(form.base_url, t)))
      throw new ApiError(t('version.title'), 200, undefined, { field: 'base_url' })
    const ids = await send(form).catch((error: unknown) => {
      const found = faultOfSetting(error, form.setting)
      setRefused({ target, fault: found })
      // The form has no field of that name: the setting's own control tells the fault.
      throw found ? new ApiError(found.message, 200) : error
    })
    if (isTested) void testAll(ids, form.name ?? '')
    await onSaved()
    return true
  }
  return { save, fault }
}

/** What whoever opens a channel that the gateway disabled wants to know first. */
function WhyOff({ channel }: { channel: Channel }) {
  const t = useTexts('channels')
  const why = waitsForTest(channel) ? reasonOf(channel) : undefined
  if (!why) return null
  const words = t('revival.off', { reason: why.reason, time: formatTime(why.seconds) })
  return <Alert type="warning" className="channel-revival" content={words} />
}

const OF_SETTING = 'setting.'

function faultOfSetting(error: unknown, text = ''): SettingFault | undefined {
  if (!(error instanceof ApiError) || !error.field?.startsWith(OF_SETTING)) return undefined
  return { key: error.field.slice(OF_SETTING.length), message: error.message, text }
}

function confirmVersion(address: string | undefined, t: Texts): Promise<boolean> {
  return confirm(() => ({
    title: t('version.title'),
    content: t('version.text', { address: trimAddress(address) }),
    confirmLabel: t('version.keep'),
    cancelLabel: t('version.change'),
  }))
}
