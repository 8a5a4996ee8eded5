import {
  formatDuration,
  formatTime,
  Hint,
  StatusTag,
  Time,
  useTexts,
  channelStatus,
} from '#console'
import { deadKeysOf, paceOf, reasonOf, stateOf } from './channel.ts'
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

/** How long the last test took; colour and word tell fast from slow. */
export function Pace({ row }: { row: Row }) {
  const t = useTexts('channels')
  const pace = paceOf(row.response_time)
  if (pace === 'untested')
    return <span className="muted channel-untested">{t('pace.untested')}</span>
  const chip = (
    <span className={`label number channel-pace-${pace}`} tabIndex={0}>
      {formatDuration(row.response_time)}
    </span>
  )
  const hint = (
    <>
      {t(`pace.${pace}`)}
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
