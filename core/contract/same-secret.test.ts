import { expect, it } from 'vitest'
import { isSameSecret } from './same-secret.ts'

it.each([
  ['key', 'key', true],
  ['kex', 'key', false],
  ['ke', 'key', false],
  ['', 'key', false],
  ['é', 'ab', false],
  [Buffer.from('6b6579', 'hex'), 'key', true],
  [Buffer.from('zz', 'hex'), Buffer.from('key'), false],
])('compares %j with %j: %s', (sent, right, isSame) => {
  expect(isSameSecret(sent, right)).toBe(isSame)
})
