import { FigureCard, formatPercent, useTexts } from '#console'
import type { Sums } from '../schema.ts'
import { attemptsOf } from './attempts.ts'
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
      hint={attemptsOf(week) > 0 ? t('inWeek', { value: shown(week) }) : t('errors.noCalls')}
    >
      <WeekBars days={data.days.map(rateOf)} format={formatPercent} />
    </FigureCard>
  )
}

type Calls = Pick<Sums, 'calls' | 'errors'>

/** A dash where there were no calls. */
function shown(sums: Calls): string {
  return attemptsOf(sums) > 0 ? formatPercent(rateOf(sums)) : '–'
}

/** The share of failed calls, from 0 to 1. */
function rateOf(sums: Calls): number {
  return attemptsOf(sums) > 0 ? sums.errors / attemptsOf(sums) : 0
}
