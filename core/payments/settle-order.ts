// What becomes of an order: credited once, closed, or taken back. Money goes through the ledger only.
import { logType } from '../contract/constants.ts'
import type { PaymentNotice } from '../contract/payment.ts'
import { quotaText } from '../billing/quota-text.ts'
import type { TopUpRow } from '../data/models/top-up.ts'
import { isSameMoney } from './money.ts'
import { nameOf, refOf, type SettleDeps } from './order-ledger.ts'
import { closeOrder, findOrder, markPaid, nameReference } from './orders-sql.ts'
import { noticeWrong, orderClosed, orderUnknown } from './payment-errors.ts'
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
  if (!(await credit(deps, order, reference)))
    await nameReference(deps.database, { provider, trade_no: order.trade_no, reference })
  // What came before the payment itself waits for it.
  await settleReversals(deps, provider, reference, 'refund')
}

/** @returns whether it was this call that credited the order */
async function credit(deps: SettleDeps, order: TopUpRow, reference: string): Promise<boolean> {
  const { database, ledger, logs, options } = deps
  const { trade_no, user_id, quota } = order
  const isMine = await database.transaction(async (transaction) => {
    if (!(await markPaid(database, { trade_no, reference }, transaction))) return false
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

/** An admin vouches for a payment whose notice never came.
 *  @throws payment.order_unknown, payment.order_closed */
export async function completeByHand(
  deps: SettleDeps,
  admin: { id: number; username: string },
  trade_no: string,
): Promise<void> {
  const order = await findOrder(deps.database, { trade_no })
  if (!order) throw orderUnknown()
  if (!(await credit(deps, order, order.reference))) {
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
