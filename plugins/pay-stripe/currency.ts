// Amounts are integers in the smallest unit of a currency. Source: docs.stripe.com/currencies, sections on
// zero-decimal and three-decimal currencies.

const withoutDecimals: ReadonlySet<string> = new Set(
  'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '),
)
/** Currencies that are charged in whole units but stated in hundredths: 5 UGX are 500. Source: the same page,
 *  section on special cases. */
const wholeInHundredths: ReadonlySet<string> = new Set(['ISK', 'UGX'])
const withThree: ReadonlySet<string> = new Set('BHD JOD KWD OMR TND'.split(' '))

/** The currency of a price. Undefined for an unknown currency, or one in which nothing is sold. */
export function decimalsOf(currency: string): 0 | 2 | undefined {
  const code = currency.toUpperCase()
  if (!/^[A-Z]{3}$/.test(code) || withThree.has(code)) return undefined
  return withoutDecimals.has(code) || wholeInHundredths.has(code) ? 0 : 2
}

/** The number of decimals in the amounts that Stripe states. */
function statedDecimals(currency: string): 0 | 2 {
  return withoutDecimals.has(currency.toUpperCase()) ? 0 : 2
}

/** `73.00` becomes 7300 cents. */
export function minorOf(money: string, currency: string): string {
  const [whole = '', fraction = ''] = money.split('.')
  return BigInt(whole + fraction.padEnd(statedDecimals(currency), '0')).toString()
}

/** 7300 cents become `73.00`. */
export function moneyOf(minor: number, currency: string): string {
  const decimals = statedDecimals(currency)
  const text = String(minor).padStart(decimals + 1, '0')
  return decimals === 0 ? text : `${text.slice(0, -decimals)}.${text.slice(-decimals)}`
}
