import { IconRefresh } from '@arco-design/web-react/icon'
import { formatDollars, formatTime, Hint, IconButton, useAction, useTexts } from '#console'
import type { Channel } from './channel.ts'

/** The balance at the provider in dollars, as of the last update. */
export function BalanceCell({
  channel,
  canUpdate,
  onUpdate,
}: {
  channel: Channel
  canUpdate: boolean
  onUpdate: (channel: Channel) => Promise<unknown>
}) {
  const t = useTexts('channels')
  const [update, isUpdating] = useAction(onUpdate)
  const isKnown = channel.balance_updated_time > 0
  const hint = isKnown
    ? t('balance.asked', { time: formatTime(channel.balance_updated_time) })
    : t(canUpdate ? 'balance.never' : 'balance.unsupported')
  return (
    <span className="channel-balance">
      {/* Before the amount: amounts stand below each other, whether they can be asked for or not. */}
      {canUpdate ? (
        <IconButton
          size="mini"
          icon={<IconRefresh />}
          label={t('balance.update', { name: channel.name })}
          loading={isUpdating}
          onClick={() => void update(channel)}
        />
      ) : null}
      <Hint text={hint}>
        <span className={isKnown ? 'number' : 'muted'} tabIndex={0}>
          {isKnown ? formatDollars(channel.balance, 1) : '–'}
        </span>
      </Hint>
    </span>
  )
}
