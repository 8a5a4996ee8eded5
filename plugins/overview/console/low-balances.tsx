import { formatQuota, Quota, useQuotaStyle, useTexts } from '#console'
import { AttentionCard } from './attention-card.tsx'
import { useAdminOverview } from './use-overview.ts'

export default function LowBalances() {
  const t = useTexts('overview')
  const style = useQuotaStyle()
  const { data } = useAdminOverview()
  if (!data) return null
  const { users, count, threshold } = data.low_balances
  const least = formatQuota(threshold, style)
  return (
    <AttentionCard
      title={t('balances.title')}
      count={count}
      more="/user?sort=quota&order=asc"
      well={t('balances.well', { least })}
      rows={users.map(({ id, username, quota }) => ({
        key: id,
        to: `/user/edit/${id}`,
        name: username,
        fact: <Quota units={quota} />,
      }))}
    />
  )
}
