import { Link } from 'react-router-dom'
import {
  type DrawerSectionProps,
  Loaded,
  Quota,
  Time,
  useData,
  usePreferences,
  useTexts,
} from '#console'
import { moneyText, type Order } from './order.ts'
import { OrderStatus } from './order-status.tsx'
import './wallet.css'

const mostShown = 5

interface Orders {
  items: Order[]
  total: number
}

/** The last orders of a user, in the drawer of that user. */
export default function UserOrders({ record }: DrawerSectionProps) {
  const t = useTexts('wallet')
  const { id, username } = record as { id: number; username: string }
  const orders = useData<Orders>('/api/user/topup', {
    query: { user_id: id, page_size: mostShown },
  })
  return (
    <Loaded from={orders}>
      {({ items, total }) =>
        total === 0 ? (
          <p className="muted">{t('userOrders.none')}</p>
        ) : (
          <>
            <ul className="user-orders">
              {items.map((order) => (
                <OrderLine key={order.id} order={order} />
              ))}
            </ul>
            {total > mostShown ? (
              <Link to={`/topup/orders?${new URLSearchParams({ keyword: username }).toString()}`}>
                {t('userOrders.all', { count: total })}
              </Link>
            ) : null}
          </>
        )
      }
    </Loaded>
  )
}

function OrderLine({ order }: { order: Order }) {
  const language = usePreferences((preferences) => preferences.language)
  return (
    <li>
      <Time seconds={order.create_time} />
      <span className="number">{moneyText(order.money, order.currency, language)}</span>
      <Quota units={order.quota} />
      <OrderStatus order={order} />
    </li>
  )
}
