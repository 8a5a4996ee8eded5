import { Button } from '@arco-design/web-react'
import { type ReactNode, useState } from 'react'
import { api, confirm, SidePanel, Time, toast, useAction, useTexts } from '#console'
import { type Channel, type DeadKey, deadKeysOf } from './channel.ts'
import { channelCalls } from './channel-calls.ts'

/** The panel, and what opens it for a channel. */
export function useRefusedKeys(
  refresh: () => Promise<void>,
): [show: (channel: Channel) => void, panel: ReactNode] {
  const [channel, setChannel] = useState<Channel>()
  const close = () => setChannel(undefined)
  return [
    setChannel,
    <RefusedKeys key="keys" channel={channel} onClose={close} onChanged={refresh} />,
  ]
}

/** The keys of a channel that their provider refused: each can be used again, or taken out. */
export function RefusedKeys({
  channel,
  onClose,
  onChanged,
}: {
  channel: Channel | undefined
  onClose(): void
  onChanged(): Promise<void>
}) {
  const t = useTexts('channels')
  return (
    <SidePanel
      title={t('refused.title', { name: channel?.name })}
      isOpen={channel !== undefined}
      onClose={onClose}
    >
      {channel ? (
        <KeyList key={channel.id} channel={channel} onEmpty={onClose} onChanged={onChanged} />
      ) : null}
    </SidePanel>
  )
}

interface KeyListProps {
  channel: Channel
  onEmpty(): void
  onChanged(): Promise<void>
}

function useKeyChanges({ channel, onEmpty, onChanged }: KeyListProps) {
  const t = useTexts('channels')
  const [current, setCurrent] = useState(channel)
  const show = async (changed: Channel) => {
    setCurrent(changed)
    if (!deadKeysOf(changed)) onEmpty()
    await onChanged()
  }
  const enable = async (positions: number[]) => {
    const changed = await channelCalls.enableKeys(current, positions)
    toast.success(t('refused.enabled', { count: positions.length }))
    await show(changed)
  }
  const remove = async (positions: number[]) => {
    const isSure = await confirm(() => ({
      title: t('refused.removeTitle', { count: positions.length }),
      content: t('refused.removeText'),
      confirmLabel: t('refused.remove'),
      isDanger: true,
    }))
    if (!isSure) return
    const changed = await channelCalls.removeKeys(current, positions)
    toast.success(t('refused.removed', { count: positions.length }))
    await show(changed)
  }
  const [run, isRunning] = useAction(async (change: () => Promise<void>) => {
    try {
      await change()
    } catch (fault) {
      // Others may have changed the keys meanwhile.
      const path = `/api/channel/${channel.id}`
      await api.get<Channel>(path, { isQuiet: true }).then(show, () => undefined)
      throw fault
    }
  })
  return { dead: deadKeysOf(current)?.dead ?? [], enable, remove, run, isRunning }
}

function KeyList(props: KeyListProps) {
  const t = useTexts('channels')
  const { dead, enable, remove, run, isRunning } = useKeyChanges(props)
  const all = dead.map(({ position }) => position)
  return (
    <>
      <p className="muted">{t('refused.hint')}</p>
      <div className="channel-test-head">
        <Button disabled={isRunning} onClick={() => void run(() => enable(all))}>
          {t('refused.enableAll')}
        </Button>
        <Button status="danger" disabled={isRunning} onClick={() => void run(() => remove(all))}>
          {t('refused.removeAll')}
        </Button>
      </div>
      <ul className="channel-tests">
        {dead.map((key) => (
          <RefusedKey
            key={key.position}
            refused={key}
            isBusy={isRunning}
            onEnable={() => void run(() => enable([key.position]))}
            onRemove={() => void run(() => remove([key.position]))}
          />
        ))}
      </ul>
    </>
  )
}

function RefusedKey({
  refused: { position, reason, time },
  isBusy,
  onEnable,
  onRemove,
}: {
  refused: DeadKey
  isBusy: boolean
  onEnable(): void
  onRemove(): void
}) {
  const t = useTexts('channels')
  const name = t('refused.key', { position })
  return (
    <li>
      <div>
        <span>{name}</span>
        <small>
          <Time seconds={time} />
        </small>
        <p className="tone-danger">{reason}</p>
      </div>
      <Button
        size="small"
        disabled={isBusy}
        aria-label={t('actionOn', { action: t('refused.enable'), name })}
        onClick={onEnable}
      >
        {t('refused.enable')}
      </Button>
      <Button
        size="small"
        status="danger"
        disabled={isBusy}
        aria-label={t('actionOn', { action: t('refused.remove'), name })}
        onClick={onRemove}
      >
        {t('refused.remove')}
      </Button>
    </li>
  )
}
