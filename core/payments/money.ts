import type { Exact } from '../billing/decimal.ts'

/** dividend / divisor (both above 0) with this many decimals, half rounded away from zero. */
export function quotientText(dividend: Exact, divisor: Exact, decimals: number): string {
  return minorText(quotient(dividend, divisor, decimals), decimals)
}

/** dividend / divisor in units of 10^-decimals. */
export function quotient(dividend: Exact, divisor: Exact, decimals = 0): bigint {
  const top = dividend.digits * 10n ** BigInt(divisor.scale + decimals)
  const bottom = divisor.digits * 10n ** BigInt(dividend.scale)
  return (2n * top + bottom) / (2n * bottom)
}

/** 7300 with two decimals is 73.00. */
function minorText(minor: bigint, decimals: number): string {
  if (decimals === 0) return minor.toString()
  const text = minor.toString().padStart(decimals + 1, '0')
  return `${text.slice(0, -decimals)}.${text.slice(-decimals)}`
}

const decimalText = /^\d{1,15}(?:\.\d{1,8})?$/

/** A sum as text, with any number of trailing zeros; undefined if it is not a number. */
export function readMoney(text: string): Exact | undefined {
  if (!decimalText.test(text)) return undefined
  const [whole = '', fraction = ''] = text.split('.')
  return { digits: BigInt(whole + fraction), scale: fraction.length }
}

export function isSameMoney(left: string, right: string): boolean {
  const [one, other] = [readMoney(left), readMoney(right)]
  if (!one || !other) return false
  return one.digits * 10n ** BigInt(other.scale) === other.digits * 10n ** BigInt(one.scale)
}

export function isMore(left: Exact, right: Exact): boolean {
  return left.digits * 10n ** BigInt(right.scale) > right.digits * 10n ** BigInt(left.scale)
}
