// Ways to pay. Core owns the flow (quote, order, notice, credit); a provider leads the customer to its page and says what its notices mean.
// Implemented in core/payments.
import type { Text } from './errors.ts'

export interface PaymentProvider {
  /** Kept with every order and part of the addresses (`/api/user/<id>/pay`): lower-case letters, digits, hyphens. */
  id: string
  /** The ways to pay that it offers. None while it is off or lacks a secret: then nothing is sold and no notice is read. */
  methods(): readonly PaymentMethod[]
  /** What orders are paid in: the ISO 4217 code in capitals, and how many decimals its amounts have. */
  currency(): { code: string; decimals: number }
  /** Who is paid; kept with the order and compared with what a notice says. */
  merchant(): string
  /** What one unit of quota (`QuotaPerUnit`) costs. Default: the option Price. */
  unitPrice?(): number
  /** The smallest top-up, in units. Default: the option MinTopUp. */
  minimum?(): number
  /** Leads the customer to pay; the order is stored already. @throws AppError for what a person can understand */
  start(order: PaymentOrder): Promise<PaymentStart>
  /** Where the provider sends its notices, below `/api/user/<id>/` or `/api/<id>/`. Default: `/api/user/<id>/notify`. */
  noticePath?: string
  /** Says what a notice means, once it is proved to come from the provider. @throws AppError when it is not */
  readNotice(request: NoticeRequest): PaymentNotice | Promise<PaymentNotice>
  /** What the provider wants to read: of a notice that was taken, and of one that it shall send again. */
  answerNotice(isTaken: boolean): { status: number; body: string | Record<string, unknown> }
}

export interface PaymentMethod {
  /** What a customer's call names as `payment_method`; no two providers have one in common. */
  id: string
  name: Text
}

export interface PaymentOrder {
  trade_no: string
  /** The method's id. */
  payment_method: string
  /** As the customer entered it: units, or raw quota where the operator shows that. */
  amount: number
  /** Decimal text with as many decimals as the currency has. */
  money: string
  currency: string
  user: { id: number; username: string }
  /** Where the provider sends its notices. */
  noticeUrl: string
  /** Where the customer's browser goes after paying, and after giving up. Nothing is ever credited there. */
  returnUrl: string
  cancelUrl: string
}

/** `form`: the browser posts the fields to the address. `redirect`: it opens the address. */
export type PaymentStart =
  | { kind: 'form'; url: string; fields: Readonly<Record<string, string>> }
  | { kind: 'redirect'; url: string }

export interface NoticeRequest {
  query: Readonly<Record<string, string>>
  /** As they came, for a signature over them; empty with GET. */
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
      /** The provider's name of the payment, by which a refund is told. */
      reference: string
    }
  /** The customer let the time pass. */
  | { kind: 'expired'; trade_no: string }
  /** Money went back to the customer. May be told before the payment itself, and again. */
  | {
      kind: 'reversed'
      reason: 'refund' | 'dispute'
      reference: string
      /** The order, where the provider says it; one that was completed by hand is found by this alone. */
      trade_no?: string
      /** The provider's name of this dispute or refund, where it tells each by itself: those are added up. Without it: all refunds together, which
       *  may be told beside the single ones; then the larger sum counts. */
      name?: string
      /** Decimal text: all that has gone back so far, of this case or of all refunds. */
      money: string
      currency: string
    }
  /** The money of such a case has come again, e.g. of a dispute that was won: what was taken back for it is given again, once and for good. */
  | {
      kind: 'returned'
      reference: string
      name: string
      /** A refund that failed, of that sum; it may be told before the refund itself. Without it: a dispute. */
      refund?: { money: string; currency: string }
    }
  /** Nothing to do, e.g. an event of another kind. */
  | { kind: 'ignored' }
