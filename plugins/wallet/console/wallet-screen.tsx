import { useMemo } from 'react'
import {
  Card,
  DataTable,
  ErrorState,
  formatExact,
  type OwnAccount,
  Page,
  Quota,
  useData,
  useList,
  useOwnAccount,
  usePreferences,
  useStatus,
  useTexts,
} from '#console'
import { ownColumns } from './order-columns.tsx'
import type { Order } from './order.ts'
import { PayCard } from './pay-card.tsx'
import { RedeemCard } from './redeem-card.tsx'
import type { Offer } from './offer.ts'
import './wallet.css'

/** The balance, and every way to raise it that is on. */
export default function WalletScreen() {
  const t = useTexts('wallet')
  const status = useStatus()
  const own = useOwnAccount()
  const offer = useData<Offer>('/api/user/topup/info')
  const orders = useList<Order>('/api/user/topup/self')
  const hasOrders = (orders.total ?? 0) > 0
  const refresh = async () => {
    await Promise.all([own.refresh(), orders.refresh()])
  }
  return (
    <Page title={t('title')} hint={t('hint')} width="text">
      {own.error && !own.data ? (
        <ErrorState message={own.error.message} onRetry={() => void own.refresh()} />
      ) : (
        <Figures own={own.data} />
      )}
      <div className="wallet-ways">
        <RedeemCard
          isOn={status?.['enable_redemption'] === true}
          isOnlyWay={offer.data?.enable_online_topup === false}
          link={(status?.top_up_link as string | undefined) ?? ''}
          onRedeemed={refresh}
        />
        <PayCard offer={offer} onOrdered={() => void orders.refresh()} />
      </div>
      {hasOrders || offer.data?.enable_online_topup ? <History orders={orders} /> : null}
    </Page>
  )
}

function Figures({ own }: { own: OwnAccount | undefined }) {
  const t = useTexts('wallet')
  const figures = [
    { key: 'balance', value: own && <Quota units={own.quota} /> },
    { key: 'used', value: own && <Quota units={own.used_quota} /> },
    { key: 'requests', value: own && formatExact(own.request_count) },
  ]
  return (
    <dl className="wallet-figures">
      {figures.map(({ key, value }) => (
        <div key={key}>
          <dt>{t(`figure.${key}`)}</dt>
          <dd className="number">{value ?? '–'}</dd>
        </div>
      ))}
    </dl>
  )
}

function History({ orders }: { orders: ReturnType<typeof useList<Order>> }) {
  const t = useTexts('wallet')
  const language = usePreferences((preferences) => preferences.language)
  const columns = useMemo(() => ownColumns(t, language), [t, language])
  return (
    <Card title={t('history.title')} isFlush>
      <DataTable<Order>
        id="own-orders"
        label={t('history.title')}
        list={orders}
        columns={columns}
        nameOf={({ trade_no }) => trade_no}
        empty={{ title: t('history.empty'), hint: t('history.emptyHint') }}
      />
    </Card>
  )
}
