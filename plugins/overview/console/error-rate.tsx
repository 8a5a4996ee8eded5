import { FigureCard, formatPercent, useTexts } from '#console'
import type { Sums } from '../schema.ts'
import { useAdminOverview } from './use-overview.ts'
import { WeekBars } from './week-bars.tsx'

export default function ErrorRate() {
  const t = useTexts('overview')
  const { data } = useAdminOverview()
  if (!data) return null
  const week = data.days.reduce(
    (sum, { calls, errors }) => ({ calls: sum.calls + calls, errors: sum.errors + errors }),
    { calls: 0, errors: 0 },
  )
  return (
    <FigureCard
      title={t('errors.title')}
      value={shown(data.today)}
      hint={t('inWeek', { value: shown(week) })}
    >
      <WeekBars days={data.days.map(rateOf)} format={formatPercent} />
    </FigureCard>
  )
}

/** A dash where there were no calls. */
function shown(sums: Pick<Sums, 'calls' | 'errors'>): string {
  return sums.calls + sums.errors === 0 ? '–' : formatPercent(rateOf(sums))
}

/** The share of failed calls, from 0 to 1. */
function rateOf({ calls, errors }: Pick<Sums, 'calls' | 'errors'>): number {
  return calls + errors === 0 ? 0 : errors / (calls + errors)
}
