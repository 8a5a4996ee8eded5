import { Alert } from '@arco-design/web-react'
import { Link } from 'react-router-dom'
import { useOwnAccount } from '../api/own-data.ts'
import { useCanVisit } from '../registry/use-can-visit.ts'
import { formatWholeQuota } from '../format/quota.ts'
import { useTexts } from '../texts/use-texts.ts'
import { useQuotaStyle } from './values/quota.tsx'

const walletPath = '/topup'

/** Says before the first call that there is nothing to pay it with. */
export function EmptyBalance() {
  const t = useTexts()
  const style = useQuotaStyle()
  const canTopUp = useCanVisit(walletPath)
  const { data } = useOwnAccount()
  if (!data || data.quota > 0) return null
  return (
    <Alert
      type="warning"
      content={t('balance.empty', { balance: formatWholeQuota(data.quota, style) })}
      action={canTopUp ? <Link to={walletPath}>{t('balance.topUp')}</Link> : undefined}
    />
  )
}
