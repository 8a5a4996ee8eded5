import { formatQuota, Quota, useQuotaStyle, useTexts } from '#console'
import { FigureCard } from './figure-card.tsx'
import { useAdminOverview } from './use-overview.ts'

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
      days={days}
      format={(units) => formatQuota(units, style)}
    />
  )
}
