import { expect, it } from 'vitest'
import { amountOf } from './amount-of.ts'

it.each([
  [12.5, 12.5],
  ['12.50', 12.5],
  [0, 0],
  ['0', 0],
])('reads %j as %d', (value, amount) => expect(amountOf(value)).toBe(amount))

it.each([null, undefined, '', ' ', 'none', true, [], {}])('takes %j for no figure', (value) =>
  expect(amountOf(value)).toBeNaN(),
)
