// Stripe counts in the smallest unit of a currency. Source: docs.stripe.com/currencies, sections on zero-decimal and three-decimal currencies.

const withoutDecimals: ReadonlySet<string> = new Set(
  'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF UGX VND VUV XAF XOF XPF'.split(' '),
)
const withThree: ReadonlySet<string> = new Set('BHD JOD KWD OMR TND'.split(' '))

/** Undefined for what is no currency, or one that is not sold in. */
export function decimalsOf(currency: string): 0 | 2 | undefined {
  const code = currency.toUpperCase()
  if (!/^[A-Z]{3}$/.test(code) || withThree.has(code)) return undefined
  return withoutDecimals.has(code) ? 0 : 2
}

/** `73.00` is 7300 cents. */
export function minorOf(money: string): string {
  return BigInt(money.replace('.', '')).toString()
}

/** 7300 cents are `73.00`. */
export function moneyOf(minor: number, currency: string): string {
  const decimals = decimalsOf(currency) ?? 2
  const text = String(minor).padStart(decimals + 1, '0')
  return decimals === 0 ? text : `${text.slice(0, -decimals)}.${text.slice(-decimals)}`
}
