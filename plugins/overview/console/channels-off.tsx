import { channelStatus, Time, useTexts } from '#console'
import { AttentionCard } from './attention-card.tsx'
import { useAdminOverview } from './use-overview.ts'

export default function ChannelsOff() {
  const t = useTexts('overview')
  const { data } = useAdminOverview()
  if (!data) return null
  const { enabled, off, off_count } = data.channels
  return (
    <AttentionCard
      title={t('channels.title')}
      count={off_count}
      more={`/channel?status=${channelStatus.disabledAutomatically}`}
      well={enabled > 0 ? t('channels.well', { count: enabled }) : t('channels.none')}
      isWell={enabled > 0}
      rows={off.map(({ id, name, status_reason, status_time }) => ({
        key: id,
        to: `/channel/edit/${id}`,
        name,
        fact: (
          <>
            <span className="attention-reason" title={status_reason}>
              {status_reason}
            </span>{' '}
            <Time seconds={status_time} />
          </>
        ),
      }))}
    />
  )
}
