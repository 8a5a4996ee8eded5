import type { Tone } from '#console'

/** A row of `/api/user/topup/self`. Admins also see the customer and the payment method. */
export interface Order {
  id: number
  user_id: number
  username?: string
  trade_no: string
  provider?: string
  reference?: string
  payment_method: string
  amount: number
  quota: number
  /** A decimal number as text. */
  money: string
  currency: string
  status: string
  refunded_quota: number
  create_time: number
  complete_time: number
}

const tones: ReadonlyMap<string, Tone> = new Map([
  ['pending', 'info'],
  ['success', 'success'],
  ['expired', 'off'],
  ['failed', 'danger'],
  ['refunded', 'warning'],
  ['account_removed', 'danger'],
])

export const orderStatuses = [...tones.keys()]

export function toneOf(status: string): Tone {
  return tones.get(status) ?? 'off'
}

/** An order that was never paid, as far as the gateway knows. */
export function isOpen({ status }: Pick<Order, 'status'>): boolean {
  return !['success', 'refunded', 'account_removed'].includes(status)
}

/** `¥73.00` in the form of the language; an unknown currency code follows the sum. */
export function moneyText(money: string, currency: string, language: string): string {
  try {
    const format = new Intl.NumberFormat(language, {
      style: 'currency',
      currency,
      currencyDisplay: 'narrowSymbol',
    })
    return format.format(Number(money))
  } catch {
    return `${money} ${currency}`
  }
}
