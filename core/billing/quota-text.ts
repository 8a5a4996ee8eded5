import type { OptionReader } from '../contract/adapter.ts'

/** An amount as people read it in log rows and messages: dollars with six decimals, or plain units where the admin has switched currency off. */
export function quotaText(units: number, options: OptionReader): string {
  if (!options.get<boolean>('DisplayInCurrencyEnabled')) return `${units} units`
  const dollars = (Math.abs(units) / options.get<number>('QuotaPerUnit')).toFixed(6)
  return `${units < 0 ? '-' : ''}$${dollars}`
}
