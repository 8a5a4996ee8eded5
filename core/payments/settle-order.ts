// What happens to an order: it is credited once, closed, or taken back. Only the ledger moves money.
import type { Transaction } from 'sequelize'
import { logType } from '../contract/constants.ts'
import type { Caller } from '../contract/http.ts'
import type { NewLogRow } from '../contract/money-services.ts'
import type { PaymentNotice } from '../contract/payment.ts'
import { quotaText } from '../billing/quota-text.ts'
import { ledgerRefOf, orderStatus, type TopUpRow } from '../data/models/top-up.ts'
import { isSameMoney } from './money.ts'
import type { SettleDeps } from './payment-deps.ts'
import {
  closeOrder,
  customerName,
  findOrder,
  liveCustomer,
  markPaid,
  nameReference,
} from './orders-sql.ts'
import { accountRemoved, noticeWrong, orderClosed, orderUnknown } from './payment-errors.ts'
import { settleReversals, takeReversal } from './reversals.ts'

type Admin = Pick<Caller, 'id' | 'username'>
type Paid = Extract<PaymentNotice, { kind: 'paid' }>

const tradeNumber = /^[\w-]{1,64}$/

/** Carries out a notice; repeating it has no further effect.
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
  // Refunds that were reported before the payment itself were waiting for it.
  await settleReversals(deps, provider, reference, 'refund')
}

/** Deregistered for ever, or removed with its rows. */
async function isRemoved(
  { database }: SettleDeps,
  { user_id }: TopUpRow,
  transaction?: Transaction,
): Promise<boolean> {
  return (await liveCustomer(database, user_id, transaction)) === undefined
}

/** If the account is deleted at this moment, the transaction ends: the notice is sent again and then finds no account.
 *  @returns whether this call has closed the order */
async function credit(
  deps: SettleDeps,
  order: TopUpRow,
  {
    reference,
    status,
    by,
  }: { reference?: string; status: 'success' | 'account_removed'; by?: Admin },
): Promise<boolean> {
  const { database, ledger, logs } = deps
  const { trade_no, user_id, quota } = order
  const rows = creditRows(deps, order, { username: await customerName(database, user_id), by })
  const isMine = await database.transaction(async (transaction) => {
    if (!(await markPaid(database, { trade_no, reference, status }, transaction))) return false
    if (status === orderStatus.unowned) return true
    await ledger.change({
      userId: user_id,
      units: quota,
      kind: 'topup',
      ref: ledgerRefOf(order),
      transaction,
    })
    if (await isRemoved(deps, order, transaction)) throw accountRemoved()
    for (const row of rows) await logs.writeIn(row, transaction)
    return true
  })
  if (isMine && status === orderStatus.unowned) await reportUnowned(deps, order)
  return isMine
}

/** The log rows of a credit, also naming the admin who has vouched for it. */
function creditRows(
  { options }: SettleDeps,
  { trade_no, user_id, quota, money, currency }: TopUpRow,
  { username, by }: { username: string; by: Admin | undefined },
): NewLogRow[] {
  const amount = quotaText(quota, options)
  const topUp = {
    user_id,
    username,
    type: logType.topup,
    content: `Online top-up: ${amount}, paid ${money} ${currency}`,
    other: JSON.stringify({ op: 'topup', amount: quota, money, currency, trade_no }),
  }
  if (!by) return [topUp]
  const vouched = {
    user_id,
    username,
    type: logType.manage,
    content: `Order ${trade_no} completed by ${by.username} (id ${by.id}): ${amount}`,
    other: JSON.stringify({ op: 'order_completed', amount: quota, trade_no, by: by.username }),
  }
  return [topUp, vouched]
}

/** The money was taken, but nobody can be credited: an admin must act at the provider. */
async function reportUnowned(deps: SettleDeps, order: TopUpRow): Promise<void> {
  const { trade_no, user_id, money, currency } = order
  deps.logs.write({
    user_id,
    username: await customerName(deps.database, user_id),
    type: logType.manage,
    content: `Order ${trade_no} was paid (${money} ${currency}), but its account (id ${user_id}) is deregistered or removed: nothing was credited`,
    other: JSON.stringify({ op: 'payment_unowned', money, currency, trade_no }),
  })
  await deps.notifications.notifyAdmins({
    kind: 'payment_unowned',
    title: { en: 'A payment for a removed account', zh: '已删除的账户收到付款' },
    content: {
      en: 'Order {{value}} was paid with {{value}}, but its account (id {{value}}) is deregistered or removed. Nothing was credited: refund the payment at the provider.',
      zh: '订单 {{value}} 已付款 {{value}}，但其账户（ID {{value}}）已注销或删除，未入账。请在支付平台为其退款。',
    },
    values: [trade_no, `${money} ${currency}`, String(user_id)],
  })
}

/** An admin vouches for a payment whose notice never came.
 *  @throws payment.order_unknown, payment.order_closed, payment.account_removed */
export async function completeByHand(deps: SettleDeps, by: Admin, trade_no: string): Promise<void> {
  const order = await findOrder(deps.database, { trade_no })
  if (!order) throw orderUnknown()
  if (await isRemoved(deps, order)) throw accountRemoved()
  const isMine = await credit(deps, order, { status: orderStatus.paid, by })
  // A notice may have named the payment meanwhile.
  const now = (await findOrder(deps.database, { trade_no })) ?? order
  if (!isMine) throw orderClosed(now.status)
  await settleReversals(deps, now.provider, now.reference, 'refund')
}
