// What a top-up costs and what it credits, in exact decimals.
import type { OptionReader } from '../contract/adapter.ts'
import type { PaymentProvider } from '../contract/payment.ts'
import { type Exact, exact, multiply, roundHalfAway } from '../billing/decimal.ts'
import { quotient, quotientText, readMoney } from './money.ts'
import { amountTooLarge, belowMinimum, sumTooLow } from './payment-errors.ts'

/** Far beyond any balance, and far below the numbers that lose their last digit. */
const MOST_UNITS = 1_000_000_000_000_000

export interface Quote {
  amount: number
  /** Units of quota to credit. */
  quota: number
  /** Decimal text. */
  money: string
  currency: string
}

const one = exact(1)

/** `amount` is in units (of QuotaPerUnit) where the operator shows currency, else raw quota.
 *  @throws payment.below_minimum, payment.sum_too_low, payment.amount_too_large */
export function quote(
  options: OptionReader,
  provider: Pick<PaymentProvider, 'currency' | 'unitPrice' | 'minimum'>,
  { amount, group }: { amount: number; group: string },
): Quote {
  const perUnit = exact(options.get<number>('QuotaPerUnit'))
  const inCurrency = options.get<boolean>('DisplayInCurrencyEnabled')
  const minimum = minimumOf(options, provider)
  if (amount < minimum) throw belowMinimum({ minimum }, { field: 'amount' })
  const quota = inCurrency ? roundHalfAway(multiply(exact(amount), perUnit)) : BigInt(amount)
  if (quota < 1n || quota > MOST_UNITS) throw amountTooLarge({}, { field: 'amount' })
  const price = multiply(
    exact(amount),
    exact(provider.unitPrice?.() ?? options.get<number>('Price')),
    exact(groupRatio(options, group)),
    exact(discountOf(options, amount)),
  )
  const { code, decimals } = provider.currency()
  const money = quotientText(price, inCurrency ? one : perUnit, decimals)
  if (isTooLow(money, decimals)) throw sumTooLow({}, { field: 'amount' })
  return { amount, quota: Number(quota), money, currency: code }
}

/** In the unit that customers enter. */
export function minimumOf(
  options: OptionReader,
  provider: Pick<PaymentProvider, 'minimum'>,
): number {
  const units = provider.minimum?.() ?? options.get<number>('MinTopUp')
  return Math.max(1, Number(roundHalfAway(multiply(exact(units), scaleOf(options)))))
}

/** Missing and 0 count as 1. */
function groupRatio(options: OptionReader, group: string): number {
  const ratios = options.get<Record<string, number>>('TopupGroupRatio')
  return (Object.hasOwn(ratios, group) && ratios[group]) || 1
}

/** Amounts to choose with one click, in the unit that customers enter. */
export function optionsToOffer(options: OptionReader): number[] {
  const scale = scaleOf(options)
  return options
    .get<number[]>('payment_setting.amount_options')
    .map((units) => Number(roundHalfAway(multiply(exact(units), scale))))
}

/** The factors and the amounts (in the unit that customers enter) from which they apply, ascending. */
export function discountSteps(options: OptionReader): { from: number; factor: number }[] {
  const scale = scaleOf(options)
  const steps = options.get<Record<string, number>>('payment_setting.amount_discount')
  return Object.entries(steps)
    .map(([units, factor]) => ({
      from: Number(roundHalfAway(multiply(exact(Number(units)), scale))),
      factor,
    }))
    .sort((left, right) => left.from - right.from)
}

/** The factor of the highest step that the amount reaches. */
function discountOf(options: OptionReader, amount: number): number {
  return discountSteps(options).findLast(({ from }) => from <= amount)?.factor ?? 1
}

/** How much one unit (QuotaPerUnit) is in the amounts that customers enter. */
function scaleOf(options: OptionReader): Exact {
  return options.get<boolean>('DisplayInCurrencyEnabled')
    ? one
    : exact(options.get<number>('QuotaPerUnit'))
}

/** One cent is too low, and so is zero. */
function isTooLow(money: string, decimals: number): boolean {
  const minor = quotient(readMoney(money) ?? exact(0), one, decimals)
  return minor <= (decimals === 0 ? 0n : 1n)
}
