import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { formsOf, nameFault, renamed } from './name-of-plugin.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

describe('the name of a new plugin', () => {
  it.each(['my-guard', 'a', 'x2', 'a-b-c'])('may be %s', (name) =>
    expect(nameFault(name, root)).toBeUndefined(),
  )

  it.each([
    'My-Guard',
    '2x',
    'a--b',
    'a-',
    '-a',
    'a_b',
    'a/b',
    '..',
    '',
    'a'.repeat(41),
    'core',
    'tollgate',
    'deepseek',
    'wallet',
  ])('may not be "%s", and it is said why', (name) =>
    expect(nameFault(name, root)).toMatch(/cannot be a name|choose another/),
  )

  it('takes the place of the sample in each of its forms', () => {
    const text =
      'acme acme__notes AcmeEnabled Acme. ACME_SECONDS acme-0001 acme.refused acme_refused'
    expect(renamed(text, formsOf('my-guard'))).toBe(
      'my-guard my_guard__notes MyGuardEnabled My guard. MY_GUARD_SECONDS my-guard-0001 my-guard.refused my_guard_refused',
    )
  })

  it('gives an adapter a channel type of its own', () => {
    const typeOf = (name: string) => Number(renamed('100000', formsOf(name)))
    expect(typeOf('one')).not.toBe(typeOf('two'))
    expect(typeOf('one')).toBe(typeOf('one'))
    for (const name of ['one', 'two', 'a', 'my-guard']) {
      expect(typeOf(name)).toBeGreaterThanOrEqual(100_000)
      expect(typeOf(name)).toBeLessThan(1_000_000)
    }
  })
})
