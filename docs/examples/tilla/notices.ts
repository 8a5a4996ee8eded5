import { isObject, type JsonObject, type PaymentNotice } from 'tollgate/contract'

type MoneyOf = (minor: number, currency: string) => string

/** What a notice means whose signature holds. Kinds of later versions mean nothing here. */
export function noticeOf(body: Buffer, moneyOf: MoneyOf): PaymentNotice {
  const event: unknown = JSON.parse(body.toString('utf8'))
  const data = isObject(event) ? event['data'] : undefined
  if (!isObject(event) || !isObject(data)) return { kind: 'ignored' }
  const text = textsOf(data)
  switch (event['kind']) {
    case 'checkout.paid':
      return {
        kind: 'paid',
        trade_no: text('order'),
        money: moneyOf(numberIn(data, 'amount'), text('currency')),
        currency: text('currency'),
        merchant: text('shop'),
        reference: text('payment'),
      }
    case 'checkout.expired':
      return { kind: 'expired', trade_no: text('order') }
    // `refunded` is the sum of all refunds of the payment so far.
    case 'payment.refunded':
      return { ...reversedOf(data, moneyOf, 'refunded'), reason: 'refund' }
    // Each dispute is told by itself.
    case 'dispute.opened':
      return { ...reversedOf(data, moneyOf, 'amount'), reason: 'dispute', name: text('dispute') }
    case 'dispute.won':
      return { kind: 'returned', reference: text('payment'), name: text('dispute') }
    default:
      return { kind: 'ignored' }
  }
}

function reversedOf(data: JsonObject, moneyOf: MoneyOf, amount: string) {
  const text = textsOf(data)
  return {
    kind: 'reversed',
    reference: text('payment'),
    trade_no: text('order'),
    money: moneyOf(numberIn(data, amount), text('currency')),
    currency: text('currency'),
  } as const
}

function textsOf(data: JsonObject): (key: string) => string {
  return (key) => (typeof data[key] === 'string' ? data[key] : '')
}

/** @throws Error for what is no amount: the notice is refused and sent again */
function numberIn(data: JsonObject, key: string): number {
  const value = data[key]
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value
  throw new Error(`"${key}" of a notice of Tilla is no amount`)
}
