import { describe, expect, it } from 'vitest'
import { expiryOf } from './token-form.ts'

const seconds = (...time: [number, number, number, number, number, number]) =>
  new Date(...time).getTime() / 1000

describe('an expiry typed by hand', () => {
  it.each([
    { text: '2027-03-04 05:06:07', expected: seconds(2027, 2, 4, 5, 6, 7) },
    { text: '2027-03-04 05:06', expected: seconds(2027, 2, 4, 5, 6, 0) },
    { text: ' 2027-3-4 ', expected: seconds(2027, 2, 4, 0, 0, 0) },
    { text: '', expected: undefined },
    { text: 'nonsense', expected: Number.NaN },
    { text: '2027-06-31', expected: Number.NaN },
    { text: '2027-13-01', expected: Number.NaN },
    { text: '2027-03-04 25:00', expected: Number.NaN },
  ])('reads $text as $expected', ({ text, expected }) => {
    expect(expiryOf(text)).toBe(expected)
  })
})
