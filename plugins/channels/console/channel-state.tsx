import {
  formatDuration,
  formatPercent,
  formatTime,
  Hint,
  StatusTag,
  Time,
  useTexts,
  channelStatus,
} from '#console'
import { deadKeysOf, paceOf, reasonOf, stateOf } from './channel.ts'
import type { RecentChannelHealth } from '../schema.ts'
import { isTagRow, type Row } from './tag-rows.ts'

/** On or off; why and since when stands in the hint. */
export function ChannelStatus({ row }: { row: Row }) {
  const t = useTexts('channels')
  const { key, tone } = stateOf(row.status)
  if (isTagRow(row)) {
    const on = row.channels.filter(({ status }) => status === channelStatus.enabled).length
    return <StatusTag tone={tone}>{t('status.some', { on, count: row.channels.length })}</StatusTag>
  }
  const some = row.status === channelStatus.enabled ? deadKeysOf(row) : undefined
  if (some) {
    const hint = some.dead
      .map(({ position, reason, time }) =>
        t('deadKey', { position, reason, time: formatTime(time) }),
      )
      .join('\n')
    const alive = some.keys - some.dead.length
    return (
      <StatusTag tone="warning" hint={hint}>
        {t('status.someKeys', { alive, keys: some.keys })}
      </StatusTag>
    )
  }
  const why = row.status === channelStatus.disabledAutomatically ? reasonOf(row) : undefined
  const hint = why && t('statusReason', { reason: why.reason, time: formatTime(why.seconds) })
  return (
    <StatusTag tone={tone} hint={hint}>
      {t(`status.${key}`)}
    </StatusTag>
  )
}

/** How long the last test took; colour and word tell fast from slow, and a failed one from both. */
export function Pace({ row }: { row: Row }) {
  const t = useTexts('channels')
  const pace = paceOf(row)
  if (pace === 'untested')
    return <span className="muted channel-untested">{t('pace.untested')}</span>
  const chip = (
    <span className={`label number channel-pace-${pace}`} tabIndex={0}>
      {pace === 'failed' ? t('pace.failed') : formatDuration(row.response_time)}
    </span>
  )
  const hint = (
    <>
      {pace === 'failed' ? row.test_fault : t(`pace.${pace}`)}
      {isTagRow(row) ? null : (
        <>
          {' · '}
          <Time seconds={row.test_time} />
        </>
      )}
    </>
  )
  return <Hint text={hint}>{chip}</Hint>
}

/** How the attempts of the last hour went; of a tag row, those of all its channels. */
export function Health({ row }: { row: Row }) {
  const t = useTexts('channels')
  const { succeeded, failed, last_error } = healthOf(row)
  const calls = succeeded + failed
  if (calls === 0) return <span className="muted">{t('health.none')}</span>
  const share = succeeded / calls
  const tone = share >= 0.99 ? 'success' : share >= 0.9 ? 'warning' : 'danger'
  const hint = [
    t('health.hour', { count: calls, failed }),
    last_error &&
      t('health.last', { time: formatTime(last_error.time), message: last_error.message }),
  ]
  return (
    <StatusTag tone={tone} hint={hint.filter(Boolean).join(' ')}>
      <span className="number">{t('health.share', { share: formatPercent(share) })}</span>
    </StatusTag>
  )
}

function healthOf(row: Row): RecentChannelHealth {
  const all = (isTagRow(row) ? row.channels : [row]).flatMap(({ health }) => health ?? [])
  return {
    succeeded: all.reduce((sum, { succeeded }) => sum + succeeded, 0),
    failed: all.reduce((sum, { failed }) => sum + failed, 0),
    last_error:
      all.flatMap(({ last_error }) => last_error ?? []).sort((a, b) => b.time - a.time)[0] ?? null,
  }
}
