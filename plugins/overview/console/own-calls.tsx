import { formatExact, useTexts } from '#console'
import { FigureCard } from './figure-card.tsx'
import { useOwnOverview } from './use-overview.ts'

export default function OwnCalls() {
  const t = useTexts('overview')
  const { data } = useOwnOverview()
  if (!data) return null
  return (
    <FigureCard
      title={t('own.calls')}
      value={formatExact(data.today.calls)}
      hint={t('inAll', { value: formatExact(data.request_count) })}
      days={data.days.map(({ calls }) => calls)}
      format={formatExact}
    />
  )
}
