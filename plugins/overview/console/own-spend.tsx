import { FigureCard, formatQuota, Quota, useQuotaStyle, useTexts } from '#console'
import { useOwnOverview } from './use-overview.ts'
import { WeekBars } from './week-bars.tsx'

export default function OwnSpend() {
  const t = useTexts('overview')
  const style = useQuotaStyle()
  const { data } = useOwnOverview()
  if (!data) return null
  return (
    <FigureCard
      title={t('own.spend')}
      value={<Quota units={data.today.quota} />}
      hint={t('inAll', { value: formatQuota(data.used_quota, style) })}
    >
      <WeekBars
        days={data.days.map(({ quota }) => quota)}
        format={(units) => formatQuota(units, style)}
      />
    </FigureCard>
  )
}
