import { FigureCard, formatExact, useTexts } from '#console'
import { attemptsOf } from './attempts.ts'
import { useAdminOverview } from './use-overview.ts'
import { WeekBars } from './week-bars.tsx'

export default function Calls() {
  const t = useTexts('overview')
  const { data } = useAdminOverview()
  if (!data) return null
  const days = data.days.map(attemptsOf)
  const week = days.reduce((sum, calls) => sum + calls, 0)
  return (
    <FigureCard
      title={t('calls.title')}
      value={formatExact(attemptsOf(data.today))}
      hint={t('inWeek', { value: formatExact(week) })}
    >
      <WeekBars days={days} format={formatExact} />
    </FigureCard>
  )
}
