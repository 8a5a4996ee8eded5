// Tilla counts in the smallest coin; the gateway writes decimal text. Both are exact.

/** `12.30` with two decimals is 1230. */
export function toMinor(money: string, decimals: number): number {
  const [whole = '0', part = ''] = money.split('.')
  return Number(`${whole}${part.padEnd(decimals, '0').slice(0, decimals)}`)
}

/** 1230 with two decimals is `12.30`. */
export function fromMinor(minor: number, decimals: number): string {
  const digits = String(minor).padStart(decimals + 1, '0')
  if (decimals === 0) return digits
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}
