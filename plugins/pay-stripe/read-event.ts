// Reads what an event of Stripe means for an order. Source: docs.stripe.com/api/events/types.
import { asText, isObject, type PaymentNotice } from '#core'
import { moneyOf } from './currency.ts'

type Fields = Record<string, unknown>
type Reader = (object: Fields) => PaymentNotice

const ignored: PaymentNotice = { kind: 'ignored' }

/** Sessions that were not created here have no order number. */
const tradeOf = (session: Fields): string => {
  const { metadata } = session
  return isObject(metadata) ? asText(metadata['trade_no']) : ''
}

const paid: Reader = (session) => {
  const trade_no = tradeOf(session)
  // With delayed payment methods the session completes before the money arrives, which a later event reports.
  if (trade_no === '' || session['payment_status'] !== 'paid') return ignored
  const currency = asText(session['currency'])
  return {
    kind: 'paid',
    trade_no,
    money: moneyOf(whole(session['amount_total']), currency),
    currency,
    merchant: '',
    reference: asText(session['payment_intent']),
  }
}

const expired: Reader = (session) => {
  const trade_no = tradeOf(session)
  return trade_no === '' ? ignored : { kind: 'expired', trade_no }
}

/** `amount_refunded` is the sum of all refunds of the charge so far. */
const refunded: Reader = (charge) => {
  const currency = asText(charge['currency'])
  const trade_no = tradeOf(charge)
  return {
    kind: 'reversed',
    reason: 'refund',
    reference: asText(charge['payment_intent']),
    // A charge has the metadata of its payment.
    ...(trade_no === '' ? {} : { trade_no }),
    money: moneyOf(whole(charge['amount_refunded']), currency),
    currency,
  }
}

/** Reads one refund. Only its state counts, so the order of events does not matter; a refund never leaves the states
 *  `failed` and `canceled`. */
const oneRefund: Reader = (refund) => {
  const [reference, name] = [asText(refund['payment_intent']), asText(refund['id'])]
  const currency = asText(refund['currency'])
  if (name === '' || currency === '') return ignored
  const money = moneyOf(whole(refund['amount']), currency)
  const hasFailed = ['failed', 'canceled'].includes(asText(refund['status']))
  if (hasFailed) return { kind: 'returned', reference, name, refund: { money, currency } }
  return { kind: 'reversed', reason: 'refund', reference, name, money, currency }
}

/** A dispute takes the money at once and returns it if it is won. Only its state counts, so the order of events does
 *  not matter. */
const disputed: Reader = (dispute) => {
  const [status, reference, name] = [dispute['status'], dispute['payment_intent'], dispute['id']]
  if (status === 'won')
    return { kind: 'returned', reference: asText(reference), name: asText(name) }
  if (!isWithdrawn.has(asText(status))) return ignored
  const currency = asText(dispute['currency'])
  return {
    kind: 'reversed',
    reason: 'dispute',
    reference: asText(reference),
    name: asText(name),
    money: moneyOf(whole(dispute['amount']), currency),
    currency,
  }
}

/** An inquiry (`warning_…`) withdraws no money, and a prevented dispute ends as a refund. */
const isWithdrawn = new Set([
  'needs_response',
  'under_review',
  'appeal_needs_response',
  'appeal_under_review',
  'lost',
])

const readers: ReadonlyMap<string, Reader> = new Map([
  ['checkout.session.completed', paid],
  ['checkout.session.async_payment_succeeded', paid],
  ['checkout.session.async_payment_failed', expired],
  ['checkout.session.expired', expired],
  ['charge.refunded', refunded],
  ['charge.refund.updated', oneRefund],
  ['refund.created', oneRefund],
  ['refund.updated', oneRefund],
  ['refund.failed', oneRefund],
  ['charge.dispute.created', disputed],
  ['charge.dispute.updated', disputed],
  ['charge.dispute.closed', disputed],
  ['charge.dispute.funds_withdrawn', disputed],
  ['charge.dispute.funds_reinstated', disputed],
])

/** @throws SyntaxError if the text is not JSON */
export function readEvent(body: Buffer): PaymentNotice {
  const event: unknown = JSON.parse(body.toString('utf8'))
  if (!isObject(event) || !isObject(event['data']) || !isObject(event['data']['object']))
    return ignored
  return readers.get(asText(event['type']))?.(event['data']['object']) ?? ignored
}

/** 0 where there is no amount: no order costs 0. */
function whole(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : 0
}
