import { FigureCard, formatExact, useTexts } from '#console'
import { useOwnOverview } from './use-overview.ts'
import { WeekBars } from './week-bars.tsx'

export default function OwnCalls() {
  const t = useTexts('overview')
  const { data } = useOwnOverview()
  if (!data) return null
  return (
    <FigureCard
      title={t('own.calls')}
      value={formatExact(data.today.calls)}
      hint={t('inAll', { value: formatExact(data.request_count) })}
    >
      <WeekBars days={data.days.map(({ calls }) => calls)} format={formatExact} />
    </FigureCard>
  )
}
