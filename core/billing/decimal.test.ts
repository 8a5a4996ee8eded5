import { Decimal } from 'decimal.js'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { add, exact, exactText, multiply, roundHalfAway, roundUp } from './decimal.ts'

const Reference = Decimal.clone({
  precision: 3000,
  rounding: Decimal.ROUND_HALF_UP,
  toExpNeg: -3000,
  toExpPos: 3000,
})
const anyNumber = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e12, max: 1e12 }),
  fc.integer(),
  fc.integer({ min: 0, max: 100_000 }).map((n) => n / 1000),
  fc.constantFrom(1e-7, 5e-324, 1e21, 1.005, 0.1, -0.5, 0),
)

describe('exact decimals', () => {
  it('prints a number as the decimal that it is written as', () => {
    fc.assert(
      fc.property(anyNumber, (value) => {
        expect(exactText(exact(value))).toBe(new Reference(value === 0 ? 0 : value).toString())
      }),
    )
  })

  it('prints nothing without a sign, whatever it was multiplied by', () => {
    for (const factor of [0.25, -0.25])
      expect(exactText(multiply(exact(0), exact(factor)))).toBe('0')
  })

  it('multiplies and adds as decimal.js does without rounding', () => {
    fc.assert(
      fc.property(anyNumber, anyNumber, anyNumber, (a, b, c) => {
        const ours = add(multiply(exact(a), exact(b)), exact(c))
        const theirs = new Reference(a).times(b).plus(c)
        expect(new Reference(exactText(ours)).eq(theirs)).toBe(true)
      }),
    )
  })

  it('rounds half away from zero as decimal.js does', () => {
    fc.assert(
      fc.property(anyNumber, (value) => {
        const whole = new Reference(value).toDecimalPlaces(0, Decimal.ROUND_HALF_UP)
        expect(roundHalfAway(exact(value))).toBe(BigInt(whole.toFixed(0)))
      }),
    )
  })

  it('rounds up as decimal.js does', () => {
    fc.assert(
      fc.property(anyNumber, (value) => {
        const whole = new Reference(value).toDecimalPlaces(0, Decimal.ROUND_CEIL)
        expect(roundUp(exact(value))).toBe(BigInt(whole.toFixed(0)))
      }),
    )
  })

  it.each([Number.NaN, Number.POSITIVE_INFINITY])('refuses %s', (value) => {
    expect(() => exact(value)).toThrow(RangeError)
  })
})
