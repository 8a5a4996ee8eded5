import { describe, expect, it } from 'vitest'
import { asksOf, moreThan } from './asks.ts'
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

  it.each(['1.1', '~1.1', '1.1.0', '^1.4', '^2', '>1.3.0', '<1.3'])(
    'does not when it is %s',
    (range) => {
      expect(check(range)).toThrow(`key "contract" asks for ${range}, this host has 1.3.0`)
    },
  )

  it.each(['one', '^1.3.0.0'])('is named when it is none: %s', (range) => {
    expect(check(range)).toThrow(`key "contract" is "${range}", which is no range such as ^1.3`)
  })

  it('may be left out', () => {
    expect(check(undefined)).not.toThrow()
  })
})

describe('what a plugin says that it asks for', () => {
  const asking = (asks: unknown) => () =>
    checkManifest({ kind: 'plugin', id: 'sample', asks }, 'sample')

  it('may be hosts, services, routes and variables', () => {
    const asks = {
      hosts: ['api.example.com', '*.example.com', '127.0.0.1:8080'],
      services: ['routes', 'ledger'],
      routes: ['/api/sample', '/sample'],
      variables: ['SAMPLE_REGION'],
    }
    const manifest = { kind: 'plugin', id: 'sample', asks, server: () => undefined }
    expect(asksOf(checkManifest(manifest, 'sample'))).toEqual([
      'route:/api/sample',
      'route:/sample',
      'service:ledger',
      'service:routes',
      'variable:SAMPLE_REGION',
    ])
  })

  it.each([
    { hosts: ['http://example.com'] },
    { hosts: ['*'] },
    { hosts: 'example.com' },
    { services: ['nope'] },
    { routes: ['/api'] },
    { routes: ['api/sample'] },
    { routes: ['/api/:id'] },
    { variables: ['lower'] },
    { money: ['all'] },
  ])('is refused by its key: %j', (asks) => {
    expect(asking(asks)).toThrow(`asks.${Object.keys(asks)[0]}`)
  })
})

describe('asking for more', () => {
  it.each([
    { asks: ['host:a'], confirmed: [], more: ['host:a'] },
    { asks: ['host:a'], confirmed: ['host:a'], more: [] },
    { asks: ['host:*'], confirmed: ['host:a'], more: ['host:*'] },
    { asks: ['host:a', 'table:x__'], confirmed: ['host:*'], more: ['table:x__'] },
    { asks: ['host:a'], confirmed: ['*'], more: [] },
  ])('$asks after $confirmed is $more', ({ asks, confirmed, more }) => {
    expect(moreThan(asks, confirmed)).toEqual(more)
  })
})
