// Exact decimals for money. A number means the decimal that it prints as: 1.005 is 1.005, not the binary
// fraction next to it. Products and sums of decimals are finite, so nothing is rounded before the end.

/** The value digits / 10^scale. */
export interface Exact {
  readonly digits: bigint
  readonly scale: number
}

const decimalForm = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/

/** @throws RangeError for NaN and infinities */
export function exact(value: number): Exact {
  if (Number.isSafeInteger(value)) return { digits: BigInt(value), scale: 0 }
  const match = decimalForm.exec(String(value))
  if (!match) throw new RangeError(`${value} is not a finite number`)
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match
  const digits = BigInt(sign + whole + fraction)
  const scale = fraction.length - Number(exponent)
  return scale >= 0 ? { digits, scale } : { digits: digits * 10n ** BigInt(-scale), scale: 0 }
}

export function multiply(...factors: readonly Exact[]): Exact {
  let digits = 1n
  let scale = 0
  for (const factor of factors) {
    digits *= factor.digits
    scale += factor.scale
  }
  return { digits, scale }
}

export function add(left: Exact, right: Exact): Exact {
  if (left.scale === right.scale) {
    return { digits: left.digits + right.digits, scale: left.scale }
  }
  const [fine, coarse] = left.scale > right.scale ? [left, right] : [right, left]
  const raised = coarse.digits * 10n ** BigInt(fine.scale - coarse.scale)
  return { digits: fine.digits + raised, scale: fine.scale }
}

/** To a whole number, half away from zero. */
export function roundHalfAway({ digits, scale }: Exact): bigint {
  if (scale === 0) return digits
  const unit = 10n ** BigInt(scale)
  const half = unit / 2n
  return (digits < 0n ? digits - half : digits + half) / unit
}

/** To the next whole number that is not below the value. */
export function roundUp({ digits, scale }: Exact): bigint {
  const unit = 10n ** BigInt(scale)
  const whole = digits / unit
  return digits > 0n && whole * unit !== digits ? whole + 1n : whole
}

/** Plain decimal text without trailing zeros: "0.00225", "3", "-1.5". */
export function exactText({ digits, scale }: Exact): string {
  if (scale === 0) return digits.toString()
  const isNegative = digits < 0n
  const text = (isNegative ? -digits : digits).toString().padStart(scale + 1, '0')
  let end = text.length
  while (end > text.length - scale && text[end - 1] === '0') end -= 1
  const fraction = text.slice(text.length - scale, end)
  const plain = text.slice(0, -scale) + (fraction === '' ? '' : `.${fraction}`)
  return isNegative ? `-${plain}` : plain
}
