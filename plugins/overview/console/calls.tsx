import { formatExact, useTexts } from '#console'
import { FigureCard } from './figure-card.tsx'
import { useAdminOverview } from './use-overview.ts'

export default function Calls() {
  const t = useTexts('overview')
  const { data } = useAdminOverview()
  if (!data) return null
  const days = data.days.map(({ calls }) => calls)
  const week = days.reduce((sum, calls) => sum + calls, 0)
  return (
    <FigureCard
      title={t('calls.title')}
      value={formatExact(data.today.calls)}
      hint={t('inWeek', { value: formatExact(week) })}
      days={days}
      format={formatExact}
    />
  )
}
