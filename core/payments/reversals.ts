// Money that went back to a customer, or came again: facts first, then the ledger is brought to what they add up to.
// Whatever order, repetition or crash between them, the sum is the same.
import type { Transaction } from 'sequelize'
import { logType } from '../contract/constants.ts'
import type { PaymentNotice } from '../contract/payment.ts'
import { add, type Exact, exact, multiply } from '../billing/decimal.ts'
import { quotaText } from '../billing/quota-text.ts'
import { plainRows } from '../data/models/define-model.ts'
import type { TopUpRow } from '../data/models/top-up.ts'
import {
  reversalKind,
  type TopUpReversalRow,
  topUpReversals,
} from '../data/models/top-up-reversal.ts'
import { isMore, quotient, readMoney } from './money.ts'
import { nameOf, refOf, type SettleDeps } from './order-ledger.ts'
import { findOrder, insertReversal, nameReference, spendable, writeRefunded } from './orders-sql.ts'
import { noticeWrong } from './payment-errors.ts'

type Reversal = Extract<PaymentNotice, { kind: 'reversed' | 'returned' }>

/** Units of quota that were taken back or given again, and what could not be taken. */
interface Moved {
  order: TopUpRow
  /** Above 0: to take; what of it was there stands in `taken`. */
  wanted: number
  taken: number
  missing: number
  given: number
}

/** Keeps what a provider told of a payment that may not be known yet, and acts on it.
 *  @throws payment.notice_wrong */
export async function takeReversal(
  deps: SettleDeps,
  provider: string,
  notice: Reversal,
): Promise<void> {
  const { reference } = notice
  if (reference === '') return
  if (notice.kind === 'reversed' && notice.trade_no)
    await nameReference(deps.database, { provider, trade_no: notice.trade_no, reference })
  const order = await findOrder(deps.database, { provider, reference })
  if (notice.kind === 'reversed') checkSum(notice, order)
  await keep(deps, provider, notice)
  const reason = notice.kind === 'reversed' ? notice.reason : 'returned'
  await settleReversals(deps, provider, reference, reason)
}

/** Brings an order to what is known of its payment; also after it was credited, for what was told before. */
export async function settleReversals(
  deps: SettleDeps,
  provider: string,
  reference: string,
  reason: 'refund' | 'dispute' | 'returned',
): Promise<void> {
  if (reference === '') return
  const { database } = deps
  const moved = await database.transaction(async (transaction) => {
    const order = await findOrder(database, { provider, reference }, transaction)
    // Payments that were not made here go through the same account.
    if (!order || order.complete_time === 0) return undefined
    const facts = await factsOf(deps, order, transaction)
    // Facts are only added, so that no step of an order has the number of another.
    const step = { refunded: refundedQuota(order, facts), ref: `${refOf(order)}:r${facts.length}` }
    return move(deps, order, step, transaction)
  })
  if (!moved) return
  // Notices that come at once act on what each other told: the direction says which it was.
  if (moved.wanted < 0) await tellReturned(deps, moved)
  else await tellTaken(deps, reason === 'refund' ? 'refund' : 'dispute', moved)
}

function checkSum(
  { money, currency }: Extract<Reversal, { kind: 'reversed' }>,
  order: TopUpRow | undefined,
): void {
  if (!readMoney(money)) throw noticeWrong({ reason: `no sum: ${money}` })
  if (order && currency.toUpperCase() !== order.currency)
    throw noticeWrong({ reason: `${currency} in place of ${order.currency}` })
}

async function keep({ database }: SettleDeps, provider: string, notice: Reversal): Promise<void> {
  const [kind, money, currency] =
    notice.kind === 'reversed'
      ? [reversalKind.gone, notice.money, notice.currency.toUpperCase()]
      : [reversalKind.returned, '', '']
  const fact: TopUpReversalRow = {
    provider,
    reference: notice.reference,
    name: notice.name ?? '',
    kind,
    money,
    currency,
    create_time: Math.floor(Date.now() / 1000),
  }
  await insertReversal(database, fact)
}

async function factsOf(
  { database }: SettleDeps,
  { provider, reference, currency }: TopUpRow,
  transaction: Transaction,
): Promise<TopUpReversalRow[]> {
  const where = { provider, reference, currency: ['', currency] }
  return plainRows(await topUpReversals(database).findAll({ where, transaction }))
}

/** The part of the order's quota whose price is with the customer: the most that was told of each case, without those that came again. */
function refundedQuota({ quota, money }: TopUpRow, facts: readonly TopUpReversalRow[]): number {
  const paid = readMoney(money)
  if (!paid || paid.digits === 0n) return 0
  const back = facts.filter(({ kind }) => kind === reversalKind.returned)
  const most = new Map<string, Exact>()
  for (const { name, kind, money: told } of facts) {
    const sum = readMoney(told)
    if (kind !== reversalKind.gone || !sum || back.some((one) => one.name === name)) continue
    const known = most.get(name)
    if (!known || isMore(sum, known)) most.set(name, sum)
  }
  const all = [...most.values()].reduce(add, exact(0))
  return Math.min(quota, Number(quotient(multiply(exact(quota), all), paid)))
}

/** Takes what is new and still there, or gives again what is no longer owed; never more than was taken. */
async function move(
  { database, ledger }: SettleDeps,
  order: TopUpRow,
  { refunded, ref }: { refunded: number; ref: string },
  transaction: Transaction,
): Promise<Moved | undefined> {
  const wanted = refunded - order.refunded_quota
  if (wanted === 0) return undefined
  const { user_id: userId, taken_quota } = order
  if (wanted > 0) await ledger.recall(userId, 0, transaction)
  const rest = await spendable(database, userId, transaction)
  const taken = wanted > 0 ? Math.min(wanted, rest ?? 0) : 0
  // An account that was removed for good gets nothing.
  const given = wanted < 0 && rest !== undefined ? Math.max(0, taken_quota - refunded) : 0
  const units = given - taken
  if (units !== 0) await ledger.change({ userId, units, kind: 'refund', ref, transaction })
  const written = { refunded_quota: refunded, taken_quota: taken_quota - units }
  await writeRefunded(database, order, written, transaction)
  return { order, wanted, taken, missing: Math.max(0, wanted - taken), given }
}

async function tellReturned(deps: SettleDeps, { order, given }: Moved): Promise<void> {
  const { options, logs, notifications } = deps
  const { trade_no, user_id } = order
  const username = await nameOf(deps, user_id)
  const text = quotaText(given, options)
  logs.write({
    user_id,
    username,
    type: logType.manage,
    content: `Dispute of order ${trade_no} won: ${text} given back`,
    other: JSON.stringify({ op: 'returned', amount: given, trade_no }),
  })
  await notifications.notifyAdmins({
    kind: 'payment_returned',
    title: { en: 'A payment dispute was won', zh: '支付争议胜诉' },
    content: {
      en: 'Order {{value}} of {{value}}: {{value}} given back.',
      zh: '订单 {{value}}（用户 {{value}}）：已退还 {{value}}。',
    },
    values: [trade_no, username, text],
  })
}

async function tellTaken(
  deps: SettleDeps,
  reason: 'refund' | 'dispute',
  { order, taken, missing }: Moved,
): Promise<void> {
  const { options, logs, notifications } = deps
  const { trade_no, user_id } = order
  const username = await nameOf(deps, user_id)
  const [text, rest] = [quotaText(taken, options), quotaText(missing, options)]
  const word = reason === 'dispute' ? 'Dispute' : 'Refund'
  logs.write({
    user_id,
    username,
    type: logType.manage,
    content: `${word} of order ${trade_no}: ${text} taken back, ${rest} was spent already`,
    other: JSON.stringify({ op: reason, amount: -taken, missing, trade_no }),
  })
  await notifications.notifyAdmins({
    kind: `payment_${reason}`,
    title: { en: `${word} of a payment`, zh: reason === 'dispute' ? '支付争议' : '支付退款' },
    content: {
      en: 'Order {{value}} of {{value}}: {{value}} taken back, {{value}} was spent already.',
      zh: '订单 {{value}}（用户 {{value}}）：已收回 {{value}}，另有 {{value}} 已被使用。',
    },
    values: [trade_no, username, text, rest],
  })
}
