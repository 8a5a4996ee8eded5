import { Alert } from '@arco-design/web-react'
import { useCallback, useEffect, useRef, useState } from 'react'
import {
  api,
  ApiError,
  confirm,
  EditDrawer,
  formatTime,
  messageOf,
  type Texts,
  toast,
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
  const record = useRecord(id)
  const { save, fault } = useSave(target, record, onSaved)
  const before = id === undefined ? undefined : record.form
  return (
    <EditDrawer<ChannelForm>
      hasAddress
      title={id === undefined ? t('add') : t('edit', { name: record.form?.name ?? `#${id}` })}
      isOpen={target !== undefined}
      onClose={onClose}
      initial={target === 'new' ? emptyChannel : record.form}
      error={record.error}
      onRetry={record.retry}
      onSave={save}
      saveLabel={id === undefined ? t('add') : undefined}
      secondLabel={t('saveAndTest')}
      slot={{ id: 'channel', record: record.channel }}
      size="wide"
    >
      {record.channel ? <WhyOff channel={record.channel} /> : null}
      <UpstreamFields record={before} />
      <ServingFields channelId={id} />
      <RoutingFields />
      <ConversionFields record={before} fault={fault} />
    </EditDrawer>
  )
}

function useSave(
  target: Target,
  { form: before, channel }: ReturnType<typeof useRecord>,
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
      throw new ApiError(t('version.title'), 200, undefined, 'base_url')
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

/** The record is read once an opening: a refresh behind the drawer must not take away what is typed. */
function useRecord(id: number | undefined) {
  const [read, setRead] = useState<{ form?: ChannelForm; channel?: Channel; error?: string }>({})
  const latest = useRef<AbortController>(undefined)
  const load = useCallback(() => {
    if (id === undefined) return
    const reading = new AbortController()
    latest.current = reading
    api
      .get<Channel>(`/api/channel/${id}`, { isQuiet: true, signal: reading.signal })
      .then((channel) => setRead({ channel, form: formOf(channel) }))
      .catch((fault: unknown) => {
        if (!reading.signal.aborted) setRead({ error: messageOf(fault) })
      })
  }, [id])
  useEffect(() => {
    load()
    return () => {
      latest.current?.abort()
      setRead({})
    }
  }, [load])
  const retry = () => {
    setRead({})
    load()
  }
  return { ...read, retry }
}

const OF_SETTING = 'setting.'

function faultOfSetting(error: unknown, text = ''): SettingFault | undefined {
  if (!(error instanceof ApiError) || !error.field?.startsWith(OF_SETTING)) return undefined
  return { key: error.field.slice(OF_SETTING.length), message: error.message, text }
}

function confirmVersion(address: string | undefined, t: Texts): Promise<boolean> {
  return confirm({
    title: t('version.title'),
    content: t('version.text', { address: trimAddress(address) }),
    confirmLabel: t('version.keep'),
    cancelLabel: t('version.change'),
  })
}
