import type { OptionReader } from '../contract/adapter.ts'

/** An amount as people read it in log rows and messages, in the form of the console's `formatDollars`: `$1`, `$1.50`, `$0.000002`;
 *  plain units where the admin has switched currency off. */
export function quotaText(units: number, options: OptionReader): string {
  if (!options.get<boolean>('DisplayInCurrencyEnabled')) return `${units} units`
  const dollars = Math.abs(units) / options.get<number>('QuotaPerUnit')
  const [whole = '0', fraction = ''] = dollars.toFixed(6).split('.')
  const kept = fraction.replace(/0+$/, '')
  const decimals = kept === '' ? '' : `.${kept.padEnd(2, '0')}`
  return `${units < 0 ? '-' : ''}$${whole.replace(/\B(?=(\d{3})+$)/g, ',')}${decimals}`
}
