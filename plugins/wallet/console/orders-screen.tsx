import { useMemo } from 'react'
import { Link } from 'react-router-dom'
import {
  type Action,
  api,
  copyText,
  DataTable,
  FilterBar,
  type List,
  Page,
  type Texts,
  toast,
  useCanVisit,
  useList,
  usePreferences,
  useTexts,
} from '#console'
import { adminColumns } from './order-columns.tsx'
import { isOpen, type Order, orderStatuses } from './order.ts'
import './wallet.css'

const noFilters = { keyword: '', status: '' }

/** The orders of all customers, with what an admin can do when a notice has not arrived. */
export default function OrdersScreen() {
  const t = useTexts('wallet')
  const language = usePreferences((preferences) => preferences.language)
  const list = useList<Order, typeof noFilters>('/api/user/topup', {
    filters: noFilters,
    accepts: { status: orderStatuses },
  })
  const canSet = useCanVisit('/setting')
  const columns = useMemo(() => adminColumns(t, language), [t, language])
  return (
    <Page title={t('orders.title')} hint={t('orders.hint')}>
      <DataTable<Order, typeof noFilters>
        id="orders"
        label={t('orders.title')}
        list={list}
        columns={columns}
        nameOf={({ trade_no }) => trade_no}
        actions={(order) => orderActions(order, t, list)}
        empty={{
          title: t('orders.empty'),
          hint: t('orders.emptyHint'),
          action: canSet ? (
            <Link className="button-link" to="/setting?tab=system#payment">
              {t('orders.toSettings')}
            </Link>
          ) : undefined,
        }}
        toolbar={
          <FilterBar
            list={list}
            fields={[
              { kind: 'search', name: 'keyword', label: t('orders.search') },
              {
                kind: 'select',
                name: 'status',
                label: t('column.status'),
                choices: orderStatuses.map((value) => ({ value, label: t(`status.${value}`) })),
              },
            ]}
          />
        }
      />
    </Page>
  )
}

function orderActions(order: Order, t: Texts, list: Pick<List<Order>, 'refresh'>): Action[] {
  const copy: Action = {
    label: t('orders.copy'),
    run: () => copyText(order.trade_no, t('orders.copied')),
  }
  if (!isOpen(order)) return [copy]
  return [
    {
      label: t('orders.complete'),
      confirm: () => ({
        title: t('orders.completeTitle', { name: order.trade_no }),
        content: t('orders.completeText', { user: order.username ?? '' }),
        confirmLabel: t('orders.complete'),
      }),
      run: async () => {
        await api.post('/api/user/topup/complete', { trade_no: order.trade_no })
        toast.success(t('orders.completed'))
        await list.refresh()
      },
    },
    copy,
  ]
}
