// What becomes of an order: credited once, closed, or taken back. Money goes through the ledger only.
import { logType } from '../contract/constants.ts'
import type { OptionService } from '../contract/options.ts'
import type { PaymentNotice } from '../contract/payment.ts'
import type {
  AccountService,
  DatabaseService,
  LedgerService,
  Logger,
  LogService,
  NotificationService,
} from '../contract/services.ts'
import { quotaText } from '../billing/quota-text.ts'
import { exact, multiply } from '../billing/decimal.ts'
import type { TopUpRow } from '../data/models/top-up.ts'
import { isSameMoney, quotient, readMoney } from './money.ts'
import { closeOrder, findOrder, markPaid, markRefunded, spendable } from './orders-sql.ts'
import { noticeWrong, orderClosed, orderUnknown } from './payment-errors.ts'

export interface SettleDeps {
  database: DatabaseService
  ledger: LedgerService
  logs: LogService
  options: OptionService
  accounts: AccountService
  notifications: NotificationService
  log: Logger
}

type Paid = Extract<PaymentNotice, { kind: 'paid' }>
type Reversed = Extract<PaymentNotice, { kind: 'reversed' }>

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
      return takeBack(deps, provider, notice)
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
  await credit(deps, order, notice.reference)
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
    other: JSON.stringify({ op: 'topup', amount: quota, money: order.money, trade_no }),
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
  deps.logs.write({
    user_id: order.user_id,
    username: await nameOf(deps, order.user_id),
    type: logType.manage,
    content: `Order ${trade_no} completed by ${admin.username} (id ${admin.id}): ${quotaText(order.quota, deps.options)}`,
  })
}

/** Takes back what the returned money bought, as far as it is left; the rest is the admins' to see. */
async function takeBack(deps: SettleDeps, provider: string, notice: Reversed): Promise<void> {
  const { database, ledger } = deps
  const { reference } = notice
  if (reference === '') return
  const done = await database.transaction(async (transaction) => {
    const order = await findOrder(database, { provider, reference }, transaction)
    // Payments that were not made here go through the same account.
    if (!order) return undefined
    if (notice.currency.toUpperCase() !== order.currency)
      throw noticeWrong({ reason: `${notice.currency} in place of ${order.currency}` })
    const refunded = refundedQuota(order, notice.money)
    const wanted = refunded - order.refunded_quota
    if (wanted <= 0 || !(await markRefunded(database, order, refunded, transaction)))
      return undefined
    await ledger.recall(order.user_id, 0, transaction)
    const units = Math.min(wanted, await spendable(database, order.user_id, transaction))
    if (units > 0) {
      const ref = `${refOf(order)}:${refunded}`
      await ledger.change({
        userId: order.user_id,
        units: -units,
        kind: 'refund',
        ref,
        transaction,
      })
    }
    return { order, units, missing: wanted - units }
  })
  if (done) await tellAdmins(deps, notice.reason, done)
}

/** The part of the order's quota that the returned money paid for. */
function refundedQuota({ quota, money }: TopUpRow, returned: string): number {
  const [all, back] = [readMoney(money), readMoney(returned)]
  if (!all || !back || all.digits === 0n) throw noticeWrong({ reason: `no sum: ${returned}` })
  return Math.min(quota, Number(quotient(multiply(exact(quota), back), all)))
}

async function tellAdmins(
  deps: SettleDeps,
  reason: 'refund' | 'dispute',
  { order, units, missing }: { order: TopUpRow; units: number; missing: number },
): Promise<void> {
  const { options, logs, accounts, notifications } = deps
  const username = await nameOf(deps, order.user_id)
  const [taken, rest] = [quotaText(units, options), quotaText(missing, options)]
  const word = reason === 'dispute' ? 'Dispute' : 'Refund'
  logs.write({
    user_id: order.user_id,
    username,
    type: logType.manage,
    content: `${word} of order ${order.trade_no}: ${taken} taken back, ${rest} was spent already`,
    other: JSON.stringify({ op: reason, amount: -units, missing, trade_no: order.trade_no }),
  })
  await notifications.notify(await accounts.firstRootId(), {
    kind: `payment_${reason}`,
    title: { en: `${word} of a payment`, zh: reason === 'dispute' ? '支付争议' : '支付退款' },
    content: {
      en: 'Order {{value}} of {{value}}: {{value}} taken back, {{value}} was spent already.',
      zh: '订单 {{value}}（用户 {{value}}）：已收回 {{value}}，另有 {{value}} 已被使用。',
    },
    values: [order.trade_no, username, taken, rest],
  })
}

async function nameOf({ accounts }: SettleDeps, userId: number): Promise<string> {
  return (await accounts.find(userId))?.username ?? ''
}

/** Under this the ledger knows the credit: `ledger verify` compares both. */
function refOf({ trade_no }: Pick<TopUpRow, 'trade_no'>): string {
  return `order:${trade_no}`
}
