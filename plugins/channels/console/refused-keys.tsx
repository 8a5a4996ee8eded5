import { Button } from '@arco-design/web-react'
import { type ReactNode, useState } from 'react'
import { confirm, SidePanel, Time, toast, useAction, useTexts } from '#console'
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

function KeyList({
  channel,
  onEmpty,
  onChanged,
}: {
  channel: Channel
  onEmpty(): void
  onChanged(): Promise<void>
}) {
  const t = useTexts('channels')
  const [current, setCurrent] = useState(channel)
  const dead = deadKeysOf(current)?.dead ?? []
  const all = dead.map(({ position }) => position)
  const show = async (changed: Channel, sentence: string) => {
    toast.success(sentence)
    setCurrent(changed)
    if (!deadKeysOf(changed)) onEmpty()
    await onChanged()
  }
  const enable = async (positions: number[]) => {
    const changed = await channelCalls.enableKeys(channel.id, positions)
    await show(changed, t('refused.enabled', { count: positions.length }))
  }
  const remove = async (positions: number[]) => {
    const isSure = await confirm({
      title: t('refused.removeTitle', { count: positions.length }),
      content: t('refused.removeText'),
      confirmLabel: t('refused.remove'),
      isDanger: true,
    })
    if (!isSure) return
    const changed = await channelCalls.removeKeys(channel.id, positions)
    await show(changed, t('refused.removed', { count: positions.length }))
  }
  const [run, isRunning] = useAction((change: () => Promise<void>) => change())
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
        aria-label={`${t('refused.enable')}: ${name}`}
        onClick={onEnable}
      >
        {t('refused.enable')}
      </Button>
      <Button
        size="small"
        status="danger"
        disabled={isBusy}
        aria-label={`${t('refused.remove')}: ${name}`}
        onClick={onRemove}
      >
        {t('refused.remove')}
      </Button>
    </li>
  )
}
