import { formatWholeQuota, StatusTag, useQuotaStyle, useTexts } from '#console'
import { type Order, toneOf } from './order.ts'

/** What became of an order; of one that was refunded in part, or whose account was removed, how much went back. */
export function OrderStatus({
  order: { status, refunded_quota },
}: {
  order: Pick<Order, 'status' | 'refunded_quota'>
}) {
  const t = useTexts('wallet')
  const style = useQuotaStyle()
  if (status !== 'refunded' && refunded_quota > 0)
    return (
      <StatusTag tone={toneOf('refunded')}>
        {t('status.partlyRefunded', { amount: formatWholeQuota(refunded_quota, style) })}
      </StatusTag>
    )
  return (
    <StatusTag tone={toneOf(status)}>
      {t.has(`status.${status}`) ? t(`status.${status}`) : status}
    </StatusTag>
  )
}
