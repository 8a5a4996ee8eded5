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
      hint={hasCalls(week) ? t('inWeek', { value: shown(week) }) : t('errors.noCalls')}
    >
      <WeekBars days={data.days.map(rateOf)} format={formatPercent} />
    </FigureCard>
  )
}

type Calls = Pick<Sums, 'calls' | 'errors'>

function hasCalls({ calls, errors }: Calls): boolean {
  return calls + errors > 0
}

/** A dash where there were no calls. */
function shown(sums: Calls): string {
  return hasCalls(sums) ? formatPercent(rateOf(sums)) : '–'
}

/** The share of failed calls, from 0 to 1. */
function rateOf(sums: Calls): number {
  return hasCalls(sums) ? sums.errors / (sums.calls + sums.errors) : 0
}
