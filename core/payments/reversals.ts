// Money that went back to a customer, or came back again. First the facts are stored, then the ledger is adjusted to
// what they add up to, so that order, repetition and crashes make no difference.
import type { Transaction } from 'sequelize'
import { logType } from '../contract/constants.ts'
import type { NewLogRow } from '../contract/money-services.ts'
import type { PaymentNotice } from '../contract/payment.ts'
import type { Notice } from '../contract/services.ts'
import { add, type Exact, exact, multiply } from '../billing/decimal.ts'
import { quotaText } from '../billing/quota-text.ts'
import { plainRows } from '../data/models/define-model.ts'
import { ledgerRefOf, orderStatus, type TopUpRow } from '../data/models/top-up.ts'
import {
  reversalKind,
  type TopUpReversalRow,
  topUpReversals,
} from '../data/models/top-up-reversal.ts'
import { isMore, quotient, readMoney } from './money.ts'
import type { SettleDeps } from './payment-deps.ts'
import {
  customerName,
  findOrder,
  insertReversal,
  lockedBalance,
  nameReference,
  writeRefunded,
} from './orders-sql.ts'
import { noticeWrong } from './payment-errors.ts'

type Reason = 'refund' | 'dispute'
type Reversal = Extract<PaymentNotice, { kind: 'reversed' | 'returned' }>

/** Units of quota that were taken or given back, and what could not be taken. */
interface Moved {
  order: TopUpRow
  /** Above 0: units to take back; `taken` says how many of them were there. */
  wanted: number
  taken: number
  missing: number
  given: number
}

/** Stores what a provider reports about a payment, which may not be known yet, and acts on it.
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
  const sum = notice.kind === 'reversed' ? notice : notice.refund
  if (sum) checkSum(sum, order)
  await keep(deps, provider, notice)
  await settleReversals(deps, provider, reference, reasonOf(notice))
}

function reasonOf(notice: Reversal): Reason {
  if (notice.kind === 'reversed') return notice.reason
  return notice.refund ? 'refund' : 'dispute'
}

/** Adjusts an order to what is known about its payment; also called after the credit, for what was reported before. */
export async function settleReversals(
  deps: SettleDeps,
  provider: string,
  reference: string,
  reason: Reason,
): Promise<void> {
  if (reference === '') return
  const { database } = deps
  const moved = await database.transaction(async (transaction) => {
    const order = await findOrder(database, { provider, reference }, transaction)
    // The same account at the provider may be used for other payments.
    if (!order || order.complete_time === 0) return undefined
    const facts = await factsOf(deps, order, transaction)
    // Facts are only ever added, so each step of an order gets another number.
    const step = {
      refunded: refundedQuota(order, facts),
      ref: `${ledgerRefOf(order)}:r${facts.length}`,
    }
    const made = await move(deps, order, step, transaction)
    // The account is gone: nothing was moved, and nobody is notified.
    if (!made || order.status === orderStatus.unowned) return undefined
    const record = await recordOf(deps, reason, made, transaction)
    await deps.logs.writeIn(record.row, transaction)
    return record
  })
  if (moved) await deps.notifications.notifyAdmins(moved.notice)
}

interface ReversalRecord {
  row: NewLogRow
  notice: Notice
}

/** Notices that arrive at once act on each other's facts; the direction tells which one it was. */
async function recordOf(
  deps: SettleDeps,
  reason: Reason,
  moved: Moved,
  transaction: Transaction,
): Promise<ReversalRecord> {
  const username = await customerName(deps.database, moved.order.user_id, transaction)
  return moved.wanted < 0
    ? recordOfReturn(deps, reason, moved, username)
    : recordOfTaking(deps, reason, moved, username)
}

function checkSum(
  { money, currency }: { money: string; currency: string },
  order: TopUpRow | undefined,
): void {
  if (!readMoney(money)) throw noticeWrong({ reason: `no sum: ${money}` })
  if (order && currency.toUpperCase() !== order.currency)
    throw noticeWrong({ reason: `${currency} in place of ${order.currency}` })
}

async function keep({ database }: SettleDeps, provider: string, notice: Reversal): Promise<void> {
  const sum = notice.kind === 'reversed' ? notice : notice.refund
  const fact: TopUpReversalRow = {
    provider,
    reference: notice.reference,
    name: notice.name ?? '',
    kind: factKindOf(notice),
    money: sum?.money ?? '',
    currency: sum?.currency.toUpperCase() ?? '',
    create_time: Math.floor(Date.now() / 1000),
  }
  await insertReversal(database, fact)
}

function factKindOf(notice: Reversal): string {
  if (notice.kind === 'returned')
    return notice.refund ? reversalKind.refundFailed : reversalKind.returned
  const isOneRefund = notice.reason === 'refund' && (notice.name ?? '') !== ''
  return isOneRefund ? reversalKind.refund : reversalKind.gone
}

async function factsOf(
  { database }: SettleDeps,
  { provider, reference, currency }: TopUpRow,
  transaction: Transaction,
): Promise<TopUpReversalRow[]> {
  const where = { provider, reference, currency: ['', currency] }
  return plainRows(await topUpReversals(database).findAll({ where, transaction }))
}

/** The part of the order's quota whose price has gone back to the customer. */
function refundedQuota({ quota, money }: TopUpRow, facts: readonly TopUpReversalRow[]): number {
  const paid = readMoney(money)
  if (!paid || paid.digits === 0n) return 0
  const all = add(disputedMoney(facts), refundedMoney(facts))
  return Math.min(quota, Number(quotient(multiply(exact(quota), all), paid)))
}

/** The largest sum reported for each dispute, without those whose money came back. */
function disputedMoney(facts: readonly TopUpReversalRow[]): Exact {
  const over = new Set(named(facts, [reversalKind.returned]).map(({ name }) => name))
  const most = mostOfEach(named(facts, [reversalKind.gone]).filter(({ name }) => !over.has(name)))
  return sum(most.values())
}

/** What is known of single refunds, or of all together without failed ones, whichever is more. Neither can exceed what
 *  went back: the total was reported before or after a failure, and a failure is only reported for a refund that the
 *  total contains. */
function refundedMoney(facts: readonly TopUpReversalRow[]): Exact {
  const failed = mostOfEach(named(facts, [reversalKind.refundFailed]))
  const single = mostOfEach(named(facts, [reversalKind.refund]))
  for (const name of failed.keys()) single.delete(name)
  const known = sum(single.values())
  const ofAll = facts.filter(({ kind, name }) => name === '' && kind === reversalKind.gone)
  const together = sum(mostOfEach(ofAll).values())
  const rest = add(together, multiply(exact(-1), sum(failed.values())))
  return isMore(rest, known) ? rest : known
}

function named(facts: readonly TopUpReversalRow[], kinds: readonly string[]): TopUpReversalRow[] {
  return facts.filter(({ kind, name }) => name !== '' && kinds.includes(kind))
}

function mostOfEach(facts: readonly TopUpReversalRow[]): Map<string, Exact> {
  const most = new Map<string, Exact>()
  for (const { name, money } of facts) {
    const amount = readMoney(money)
    const known = most.get(name)
    if (amount && (!known || isMore(amount, known))) most.set(name, amount)
  }
  return most
}

function sum(values: Iterable<Exact>): Exact {
  return [...values].reduce(add, exact(0))
}

/** Takes what is new and still there, or gives back what is no longer owed; never more than was taken. */
async function move(
  { database, ledger }: SettleDeps,
  order: TopUpRow,
  { refunded, ref }: { refunded: number; ref: string },
  transaction: Transaction,
): Promise<Moved | undefined> {
  const wanted = refunded - order.refunded_quota
  if (wanted === 0) return undefined
  const { user_id: userId, taken_quota } = order
  const isCredited = order.status !== orderStatus.unowned
  const balance = isCredited ? await lockedBalance(database, userId, transaction) : undefined
  const taken = wanted > 0 ? Math.min(wanted, Math.max(0, balance ?? 0)) : 0
  // A deleted account gets nothing.
  const given = wanted < 0 && balance !== undefined ? Math.max(0, taken_quota - refunded) : 0
  const units = given - taken
  // What calls have reserved is not spent yet: left out, it would come back to whoever has the money already.
  const change = {
    userId,
    units,
    kind: 'refund' as const,
    ref,
    transaction,
    includesReserved: true,
  }
  if (units !== 0) await ledger.change(change)
  const written = { refunded_quota: refunded, taken_quota: taken_quota - units }
  await writeRefunded(database, order, written, transaction)
  return { order, wanted, taken, missing: Math.max(0, wanted - taken), given }
}

function recordOfReturn(
  { options }: SettleDeps,
  reason: Reason,
  { order: { trade_no, user_id }, given }: Moved,
  username: string,
): ReversalRecord {
  const text = quotaText(given, options)
  const row = {
    user_id,
    username,
    type: logType.manage,
    content: `${reason === 'refund' ? `Refund of order ${trade_no} failed` : `Dispute of order ${trade_no} won`}: ${text} given back`,
    other: JSON.stringify({ op: 'returned', amount: given, trade_no }),
  }
  const notice = {
    kind: 'payment_returned',
    title:
      reason === 'refund'
        ? { en: 'A refund has failed', zh: '退款失败' }
        : { en: 'A payment dispute was won', zh: '支付争议胜诉' },
    content: {
      en: 'Order {{value}} of {{value}}: {{value}} given back.',
      zh: '订单 {{value}}（用户 {{value}}）：已退还 {{value}}。',
    },
    values: [trade_no, username, text],
  }
  return { row, notice }
}

function recordOfTaking(
  { options }: SettleDeps,
  reason: Reason,
  { order: { trade_no, user_id }, taken, missing }: Moved,
  username: string,
): ReversalRecord {
  const [text, rest] = [quotaText(taken, options), quotaText(missing, options)]
  const word = reason === 'dispute' ? 'Dispute' : 'Refund'
  const row = {
    user_id,
    username,
    type: logType.manage,
    content: `${word} of order ${trade_no}: ${text} taken back, ${rest} was spent already`,
    other: JSON.stringify({ op: reason, amount: -taken, missing, trade_no }),
  }
  const notice = {
    kind: `payment_${reason}`,
    title: { en: `${word} of a payment`, zh: reason === 'dispute' ? '支付争议' : '支付退款' },
    content: {
      en: 'Order {{value}} of {{value}}: {{value}} taken back, {{value}} was spent already.',
      zh: '订单 {{value}}（用户 {{value}}）：已收回 {{value}}，另有 {{value}} 已被使用。',
    },
    values: [trade_no, username, text, rest],
  }
  return { row, notice }
}
