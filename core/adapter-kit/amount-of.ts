/** A figure of a provider's answer that may be written as a number or as text; NaN for anything else, so that null or an empty text is not
 *  taken for an empty account. */
export function amountOf(value: unknown): number {
  if (typeof value === 'number') return value
  return typeof value === 'string' && value.trim() !== '' ? Number(value) : NaN
}
