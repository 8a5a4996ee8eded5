import { describe, expect, it } from 'vitest'
import { checkManifest } from './manifest.ts'

const check = (contract: unknown) => () =>
  checkManifest({ kind: 'plugin', id: 'sample', contract }, 'sample')

describe('the range of the contract that a plugin states', () => {
  it.each([
    '^1.0',
    '^1.2',
    '^1.3.0',
    '~1.3',
    '1.3',
    '1.3.0',
    '1.x',
    '1',
    '>=1.0',
    '^0.9 || ^1.0',
    '*',
  ])('holds 1.3.0 when it is %s', (range) => {
    expect(check(range)).not.toThrow()
  })

  it.each(['1.1', '~1.1', '1.1.0', '^1.4', '^2', '>1.3.0', '<1.3', 'one', '^1.3.0.0'])(
    'does not when it is %s',
    (range) => {
      expect(check(range)).toThrow(`key "contract" asks for ${range}, this host has 1.3.0`)
    },
  )

  it('may be left out', () => {
    expect(check(undefined)).not.toThrow()
  })
})
