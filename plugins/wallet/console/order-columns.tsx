import { type Column, Quota, type Texts, Time } from '#console'
import { moneyText, type Order } from './order.ts'
import { OrderStatus } from './order-status.tsx'

export function ownColumns(t: Texts, language: string): Column<Order>[] {
  return [
    {
      id: 'created',
      title: t('column.created'),
      isTitle: true,
      render: ({ create_time }) => <Time seconds={create_time} />,
    },
    {
      id: 'quota',
      title: t('column.quota'),
      align: 'right',
      card: 'fact',
      render: ({ quota }) => <Quota units={quota} isAligned />,
    },
    {
      id: 'money',
      title: t('column.money'),
      align: 'right',
      card: 'fact',
      render: ({ money, currency }) => (
        <span className="number">{moneyText(money, currency, language)}</span>
      ),
    },
    {
      id: 'method',
      title: t('column.method'),
      render: ({ payment_method }) => methodName(t, payment_method),
    },
    {
      id: 'status',
      title: t('column.status'),
      card: 'status',
      render: (order) => <OrderStatus order={order} />,
    },
    {
      id: 'number',
      title: t('column.number'),
      render: ({ trade_no }) => <code>{trade_no}</code>,
    },
  ]
}

export function adminColumns(t: Texts, language: string): Column<Order>[] {
  const [created, ...rest] = ownColumns(t, language)
  return [
    ...(created ? [created] : []),
    {
      id: 'user',
      title: t('column.user'),
      card: 'fact',
      render: ({ username, user_id }) => (
        <span className="cut-text order-user">{username || t('goneUser', { id: user_id })}</span>
      ),
    },
    ...rest,
    {
      id: 'paid',
      title: t('column.paid'),
      isOptional: true,
      render: ({ complete_time }) => <Time seconds={complete_time} />,
    },
    {
      id: 'refunded',
      title: t('column.refunded'),
      align: 'right',
      isOptional: true,
      render: ({ refunded_quota }) => <Quota units={refunded_quota} isAligned />,
    },
    {
      id: 'reference',
      title: t('column.reference'),
      isOptional: true,
      render: ({ reference }) => <code>{reference}</code>,
    },
  ]
}

function methodName(t: Texts, method: string): string {
  return t.has(`method.${method}`) ? t(`method.${method}`) : method
}
