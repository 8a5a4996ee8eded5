import { Link } from 'react-router-dom'
import { FigureCard, Quota, useRegistry, useTexts } from '#console'
import { useOwnOverview } from './use-overview.ts'

const walletPath = '/topup'

export default function OwnBalance() {
  const t = useTexts('overview')
  const hasWallet = useRegistry(({ screens }) => screens.some(({ path }) => path === walletPath))
  const { data } = useOwnOverview()
  if (!data) return null
  return (
    <FigureCard
      title={t('own.balance')}
      value={<Quota units={data.quota} />}
      hint={hasWallet ? <Link to={walletPath}>{t('own.topUp')}</Link> : t('own.balanceHint')}
    />
  )
}
