// Quota is kept in integer units; `quota_per_unit` of them make one dollar.

export interface QuotaStyle {
  quotaPerUnit: number
  inCurrency: boolean
}

export const defaultQuotaPerUnit = 500_000

/** `$1.25` with up to six decimals (more below a millionth, which would read as nothing), or a compact count: `9,999`, `12.3k`, `4.56M`. */
export function formatQuota(units: number, style: QuotaStyle): string {
  return style.inCurrency ? formatDollars(units, style.quotaPerUnit) : formatCount(units)
}

/** The same with every unit of a count: within a sentence, where no tooltip has the exact number. */
export function formatWholeQuota(units: number, style: QuotaStyle): string {
  return style.inCurrency ? formatDollars(units, style.quotaPerUnit) : formatExact(units)
}

export function formatDollars(units: number, quotaPerUnit: number): string {
  const dollars = Math.abs(units) / (quotaPerUnit || defaultQuotaPerUnit)
  const [whole = '0', fraction = ''] = dollars.toFixed(decimalsOf(dollars)).split('.')
  const kept = fraction.replace(/0+$/, '')
  // Two decimals once there are any: $1.50 reads as money, $1.5 does not.
  const decimals = kept === '' ? '' : `.${kept.padEnd(2, '0')}`
  return `${units < 0 ? '-' : ''}$${groupThousands(whole)}${decimals}`
}

/** Below a millionth: as many as its first three digits need. */
function decimalsOf(dollars: number): number {
  if (dollars === 0 || dollars >= 1e-6) return 6
  return Math.min(100, Math.ceil(-Math.log10(dollars)) + 2)
}

const steps = [
  { from: 1e9, divisor: 1e9, suffix: 'B' },
  { from: 1e6, divisor: 1e6, suffix: 'M' },
  { from: 1e4, divisor: 1e3, suffix: 'k' },
] as const

export function formatCount(count: number): string {
  const size = Math.abs(count)
  const step = steps.find(({ from }) => size >= from)
  if (!step) return groupThousands(String(count))
  // Cut, not rounded: a balance is never shown as more than it is. Whole hundredths first, so that floats cut nothing extra.
  const value = Math.trunc(size / (step.divisor / 100)) / 100
  return `${count < 0 ? '-' : ''}${value}${step.suffix}`
}

export function formatExact(units: number): string {
  return groupThousands(String(units))
}

/** A ratio without the noise of binary fractions, and never in powers of ten. */
export function formatRatio(ratio: number): string {
  return ratio.toLocaleString('en', { maximumSignificantDigits: 15, useGrouping: false })
}

function groupThousands(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+(?!\d))/g, ',')
}

/** Whole units of an amount in dollars. */
export function unitsOf(dollars: number, quotaPerUnit: number): number {
  return Math.round(dollars * (quotaPerUnit || defaultQuotaPerUnit))
}
