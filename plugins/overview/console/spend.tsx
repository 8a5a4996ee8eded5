import { FigureCard, formatQuota, Quota, useQuotaStyle, useTexts } from '#console'
import { useAdminOverview } from './use-overview.ts'
import { WeekBars } from './week-bars.tsx'

export default function Spend() {
  const t = useTexts('overview')
  const style = useQuotaStyle()
  const { data } = useAdminOverview()
  if (!data) return null
  const days = data.days.map(({ quota }) => quota)
  const week = days.reduce((sum, quota) => sum + quota, 0)
  return (
    <FigureCard
      title={t('spend.title')}
      value={<Quota units={data.today.quota} />}
      hint={t('inWeek', { value: formatQuota(week, style) })}
    >
      <WeekBars days={days} format={(units) => formatQuota(units, style)} />
    </FigureCard>
  )
}
