// Ways to pay. Core owns the flow (quote, order, notice, credit); a provider sends the customer to its page and interprets its notices.
// Implemented in core/payments.
import type { Text } from './errors.ts'

export interface PaymentProvider {
  /** Stored with every order and part of the addresses (`/api/user/<id>/pay`): lower-case letters, digits, hyphens. */
  id: string
  /** The payment methods that it offers. None while it is off or lacks a secret: then nothing is sold and no notice is read. */
  methods(): readonly PaymentMethod[]
  /** What orders are paid in: the ISO 4217 code in capitals, and how many decimals its amounts have. */
  currency(): { code: string; decimals: number }
  /** Who is paid; stored with the order and compared with each notice. */
  merchant(): string
  /** What one unit of quota (`QuotaPerUnit`) costs. Default: the option Price. */
  unitPrice?(): number
  /** The smallest top-up, in units. Default: the option MinTopUp. */
  minimum?(): number
  /** Starts the payment; the order is stored already. @throws AppError with a message for the customer */
  start(order: PaymentOrder): Promise<PaymentStart>
  /** Where the provider sends its notices, below `/api/user/<id>/` or `/api/<id>/`. Default: `/api/user/<id>/notify`. */
  noticePath?: string
  /** Interprets a notice, after proving that it comes from the provider. @throws AppError if it does not */
  readNotice(request: NoticeRequest): PaymentNotice | Promise<PaymentNotice>
  /** The answers that the provider expects: for an accepted notice, and for one that it should send again. */
  answerNotice(isTaken: boolean): { status: number; body: string | Record<string, unknown> }
}

export interface PaymentMethod {
  /** The value of `payment_method` in the customer's call; unique among all providers. */
  id: string
  name: Text
}

export interface PaymentOrder {
  trade_no: string
  /** The method's id. */
  payment_method: string
  /** As the customer entered it: units, or quota if the operator displays quota. */
  amount: number
  /** Decimal text with as many decimals as the currency has. */
  money: string
  currency: string
  user: { id: number; username: string }
  /** Where the provider sends its notices. */
  noticeUrl: string
  /** Where the customer's browser goes after paying, and after cancelling. Neither credits anything. */
  returnUrl: string
  cancelUrl: string
}

/** `form`: the browser posts the fields to the address. `redirect`: it opens the address. */
export type PaymentStart =
  | { kind: 'form'; url: string; fields: Readonly<Record<string, string>> }
  | { kind: 'redirect'; url: string }

export interface NoticeRequest {
  query: Readonly<Record<string, string>>
  /** The received bytes, to check a signature over them; empty with GET. */
  body: Buffer
  headers: Readonly<Record<string, string | string[] | undefined>>
}

export type PaymentNotice =
  | {
      kind: 'paid'
      trade_no: string
      /** Decimal text. */
      money: string
      currency: string
      merchant: string
      /** The provider's id of the payment, which its refunds refer to. */
      reference: string
    }
  /** The customer did not pay in time. */
  | { kind: 'expired'; trade_no: string }
  /** Money went back to the customer. The notice may come before the payment itself, and repeatedly. */
  | {
      kind: 'reversed'
      reason: 'refund' | 'dispute'
      reference: string
      /** The order, if the provider names it; an order completed by hand is found by this alone. */
      trade_no?: string
      /** The provider's id of this dispute or refund, if it reports each separately: those are added up. Without it: all refunds together, which
       *  may be reported besides the single ones; then the larger sum counts. */
      name?: string
      /** Decimal text: everything that has gone back so far, for this case or for all refunds. */
      money: string
      currency: string
    }
  /** The money of such a case has come back, e.g. of a dispute that was won: what was taken back for it is credited again, once and finally. */
  | {
      kind: 'returned'
      reference: string
      name: string
      /** The sum of a refund that failed; it may be reported before the refund itself. Without it: a dispute. */
      refund?: { money: string; currency: string }
    }
  /** Nothing to do, e.g. an event of another kind. */
  | { kind: 'ignored' }
