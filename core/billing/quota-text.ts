import type { OptionReader } from '../contract/adapter.ts'
import type { Text } from '../contract/errors.ts'

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })
const cents = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 6 })

/** An amount for people, in log rows and messages, in the form of the console's `formatDollars`: `$1`, `$1.50`,
 *  `$0.000002`; plain units if the admin has switched currency off. */
export function quotaText(units: number, options: OptionReader): string {
  if (!options.get<boolean>('DisplayInCurrencyEnabled')) return `${units} units`
  const dollars = Math.abs(units) / options.get<number>('QuotaPerUnit')
  const text = Number.isInteger(Number(dollars.toFixed(6)))
    ? whole.format(dollars)
    : cents.format(dollars)
  return `${units < 0 ? '-' : ''}$${text}`
}

/** The same amount within a sentence of both languages. Without options: in units. */
export function quotaWords(units: number, options: OptionReader | undefined): Text {
  if (!options?.get<boolean>('DisplayInCurrencyEnabled'))
    return { en: `${units} units`, zh: `${units} 点额度` }
  const text = quotaText(units, options)
  return { en: text, zh: text }
}
