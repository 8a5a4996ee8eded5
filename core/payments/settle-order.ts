// What becomes of an order: credited once, closed, or taken back. Money goes through the ledger only.
import { logType } from '../contract/constants.ts'
import type { PaymentNotice } from '../contract/payment.ts'
import { quotaText } from '../billing/quota-text.ts'
import { orderStatus, type TopUpRow } from '../data/models/top-up.ts'
import { isSameMoney } from './money.ts'
import { nameOf, refOf, type SettleDeps } from './order-ledger.ts'
import { closeOrder, findOrder, markPaid, nameReference } from './orders-sql.ts'
import { accountRemoved, noticeWrong, orderClosed, orderUnknown } from './payment-errors.ts'
import { settleReversals, takeReversal } from './reversals.ts'

type Paid = Extract<PaymentNotice, { kind: 'paid' }>

const tradeNumber = /^[\w-]{1,64}$/

/** Does what a notice says, any number of times with one effect.
 *  @throws payment.order_unknown, payment.notice_wrong */
export async function takeNotice(
  deps: SettleDeps,
  provider: string,
  notice: PaymentNotice,
): Promise<void> {
  switch (notice.kind) {
    case 'paid':
      return creditPaid(deps, provider, notice)
    case 'expired': {
      const order = await orderOf(deps, provider, notice.trade_no)
      return closeOrder(deps.database, order.trade_no, 'expired')
    }
    case 'reversed':
    case 'returned':
      return takeReversal(deps, provider, notice)
    case 'ignored':
  }
}

async function orderOf(deps: SettleDeps, provider: string, trade_no: string): Promise<TopUpRow> {
  const order = tradeNumber.test(trade_no)
    ? await findOrder(deps.database, { trade_no, provider })
    : undefined
  if (!order) throw orderUnknown()
  return order
}

async function creditPaid(deps: SettleDeps, provider: string, notice: Paid): Promise<void> {
  const order = await orderOf(deps, provider, notice.trade_no)
  if (notice.merchant !== order.merchant) throw noticeWrong({ reason: 'another merchant' })
  if (notice.currency.toUpperCase() !== order.currency)
    throw noticeWrong({ reason: `${notice.currency} in place of ${order.currency}` })
  if (!isSameMoney(notice.money, order.money))
    throw noticeWrong({ reason: `${notice.money} in place of ${order.money}` })
  const { reference } = notice
  const status = (await isRemoved(deps, order)) ? orderStatus.unowned : orderStatus.paid
  if (!(await credit(deps, order, { reference, status })))
    await nameReference(deps.database, { provider, trade_no: order.trade_no, reference })
  // What came before the payment itself waits for it.
  await settleReversals(deps, provider, reference, 'refund')
}

async function isRemoved({ accounts }: SettleDeps, { user_id }: TopUpRow): Promise<boolean> {
  return (await accounts.find(user_id)) === undefined
}

/** An account that is removed in this moment ends the transaction: the notice comes again and finds none.
 *  @returns whether it was this call that closed the order */
async function credit(
  deps: SettleDeps,
  order: TopUpRow,
  { reference, status }: { reference: string; status: 'success' | 'account_removed' },
): Promise<boolean> {
  const { database, ledger, logs, options } = deps
  const { trade_no, user_id, quota } = order
  const isMine = await database.transaction(async (transaction) => {
    if (!(await markPaid(database, { trade_no, reference, status }, transaction))) return false
    if (status === orderStatus.unowned) return true
    await ledger.change({
      userId: user_id,
      units: quota,
      kind: 'topup',
      ref: refOf(order),
      transaction,
    })
    return true
  })
  if (!isMine) return false
  if (status === orderStatus.unowned) return tellUnowned(deps, order)
  logs.write({
    user_id,
    username: await nameOf(deps, user_id),
    type: logType.topup,
    content: `Online top-up: ${quotaText(quota, options)}, paid ${order.money} ${order.currency}`,
    other: JSON.stringify({
      op: 'topup',
      amount: quota,
      money: order.money,
      currency: order.currency,
      trade_no,
    }),
  })
  return true
}

/** The money has been taken and nobody can be credited: what is to be done is done at the provider. */
async function tellUnowned(deps: SettleDeps, order: TopUpRow): Promise<true> {
  const { trade_no, user_id, money, currency } = order
  deps.logs.write({
    user_id,
    username: '',
    type: logType.manage,
    content: `Order ${trade_no} was paid (${money} ${currency}), but its account (id ${user_id}) was removed: nothing was credited`,
    other: JSON.stringify({ op: 'payment_unowned', money, currency, trade_no }),
  })
  await deps.notifications.notifyAdmins({
    kind: 'payment_unowned',
    title: { en: 'A payment for a removed account', zh: '已删除的账号收到付款' },
    content: {
      en: 'Order {{value}} was paid with {{value}}, but its account (id {{value}}) was removed for good. Nothing was credited: refund the payment at the provider.',
      zh: '订单 {{value}} 已付款 {{value}}，但其账号（ID {{value}}）已被彻底删除，未入账。请在支付平台为其退款。',
    },
    values: [trade_no, `${money} ${currency}`, String(user_id)],
  })
  return true
}

/** An admin vouches for a payment whose notice never came.
 *  @throws payment.order_unknown, payment.order_closed, payment.account_removed */
export async function completeByHand(
  deps: SettleDeps,
  admin: { id: number; username: string },
  trade_no: string,
): Promise<void> {
  const order = await findOrder(deps.database, { trade_no })
  if (!order) throw orderUnknown()
  if (await isRemoved(deps, order)) throw accountRemoved()
  const paid = { reference: order.reference, status: orderStatus.paid }
  if (!(await credit(deps, order, paid))) {
    const status = (await findOrder(deps.database, { trade_no }))?.status ?? order.status
    throw orderClosed({ status })
  }
  await settleReversals(deps, order.provider, order.reference, 'refund')
  deps.logs.write({
    user_id: order.user_id,
    username: await nameOf(deps, order.user_id),
    type: logType.manage,
    content: `Order ${trade_no} completed by ${admin.username} (id ${admin.id}): ${quotaText(order.quota, deps.options)}`,
    other: JSON.stringify({
      op: 'order_completed',
      amount: order.quota,
      trade_no,
      by: admin.username,
    }),
  })
}
