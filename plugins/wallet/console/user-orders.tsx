import { Link } from 'react-router-dom'
import {
  type DrawerSectionProps,
  ErrorState,
  Quota,
  StatusTag,
  Time,
  useData,
  usePreferences,
  useTexts,
} from '#console'
import { moneyText, type Order, toneOf } from './order.ts'
import './wallet.css'

const mostShown = 5

/** The last orders of a user, in the drawer of that user. */
export default function UserOrders({ record }: DrawerSectionProps) {
  const t = useTexts('wallet')
  const language = usePreferences((preferences) => preferences.language)
  const { id, username } = record as { id: number; username: string }
  const { data, error, refresh } = useData<{ items: Order[]; total: number }>('/api/user/topup', {
    query: { user_id: id, page_size: mostShown },
  })
  if (error) return <ErrorState message={error.message} onRetry={() => void refresh()} />
  if (!data) return null
  if (data.total === 0) return <p className="muted">{t('userOrders.none')}</p>
  return (
    <>
      <ul className="user-orders">
        {data.items.map((order) => (
          <li key={order.id}>
            <Time seconds={order.create_time} />
            <span className="number">{moneyText(order.money, order.currency, language)}</span>
            <Quota units={order.quota} />
            <StatusTag tone={toneOf(order.status)}>
              {t.has(`status.${order.status}`) ? t(`status.${order.status}`) : order.status}
            </StatusTag>
          </li>
        ))}
      </ul>
      {data.total > mostShown ? (
        <Link to={`/topup/orders?${new URLSearchParams({ keyword: username }).toString()}`}>
          {t('userOrders.all', { count: data.total })}
        </Link>
      ) : null}
    </>
  )
}
