// What an event of Stripe means for an order. Source: docs.stripe.com/api/events/types.
import { isObject, type PaymentNotice } from '#core'
import { moneyOf } from './currency.ts'

type Fields = Record<string, unknown>
type Reader = (object: Fields) => PaymentNotice

const ignored: PaymentNotice = { kind: 'ignored' }

/** Sessions that were not begun here carry no number of an order. */
const tradeOf = (session: Fields): string => {
  const { metadata } = session
  return isObject(metadata) ? text(metadata['trade_no']) : ''
}

const paid: Reader = (session) => {
  const trade_no = tradeOf(session)
  // With slow methods the session completes before the money comes; another event tells of that.
  if (trade_no === '' || session['payment_status'] !== 'paid') return ignored
  const currency = text(session['currency'])
  return {
    kind: 'paid',
    trade_no,
    money: moneyOf(whole(session['amount_total']), currency),
    currency,
    merchant: '',
    reference: text(session['payment_intent']),
  }
}

const expired: Reader = (session) => {
  const trade_no = tradeOf(session)
  return trade_no === '' ? ignored : { kind: 'expired', trade_no }
}

const reversed = (reason: 'refund' | 'dispute', amount: string) => (object: Fields) => {
  const currency = text(object['currency'])
  return {
    kind: 'reversed' as const,
    reason,
    reference: text(object['payment_intent']),
    money: moneyOf(whole(object[amount]), currency),
    currency,
  }
}

const dispute = reversed('dispute', 'amount')

const readers: ReadonlyMap<string, Reader> = new Map([
  ['checkout.session.completed', paid],
  ['checkout.session.async_payment_succeeded', paid],
  ['checkout.session.async_payment_failed', expired],
  ['checkout.session.expired', expired],
  ['charge.refunded', reversed('refund', 'amount_refunded')],
  // An inquiry withdraws nothing.
  [
    'charge.dispute.created',
    (object: Fields) => (text(object['status']).startsWith('warning') ? ignored : dispute(object)),
  ],
  ['charge.dispute.funds_withdrawn', dispute],
])

/** @throws SyntaxError for what is no JSON */
export function readEvent(body: Buffer): PaymentNotice {
  const event: unknown = JSON.parse(body.toString('utf8'))
  if (!isObject(event) || !isObject(event['data']) || !isObject(event['data']['object']))
    return ignored
  return readers.get(text(event['type']))?.(event['data']['object']) ?? ignored
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** 0 for what is none: no order costs that. */
function whole(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : 0
}
