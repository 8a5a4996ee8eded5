import { describe, expect, it } from 'vitest'
import type { PluginRow } from '../schema.ts'
import { arrangePlugins, dependentsOf, noFilters } from './plugin-row.ts'

const row = (id: string, changes: Partial<PluginRow> = {}): PluginRow => ({
  id,
  name: `The ${id}`,
  version: '1.0.0',
  source: 'built-in',
  kind: 'plugin',
  enabled: true,
  is_essential: false,
  lacks_range: false,
  versions: [],
  nodes: [],
  state: 'on',
  error: '',
  requires: [],
  options: [],
  hooks: [],
  ...changes,
})

describe('the list of plugins', () => {
  it('shows features and providers apart, failed ones first, and filters by words', () => {
    const rows = [
      row('a'),
      row('b', { kind: 'adapter' }),
      row('c', { state: 'failed', kind: 'unknown' }),
    ]
    expect(arrangePlugins(rows, noFilters).map(({ id }) => id)).toEqual(['c', 'a'])
    const two = [row('d'), row('e')]
    expect(arrangePlugins(two, noFilters, { e: 'no module' }).map(({ id }) => id)).toEqual([
      'e',
      'd',
    ])
    expect(arrangePlugins(rows, { ...noFilters, kind: 'adapter' }).map(({ id }) => id)).toEqual([
      'b',
    ])
    expect(arrangePlugins(rows, { ...noFilters, search: 'THE A' }).map(({ id }) => id)).toEqual([
      'a',
    ])
  })

  it('finds what would stop too, through others and in circles', () => {
    const rows = [
      row('base'),
      row('mail', { requires: ['base'] }),
      row('news', { requires: ['mail', 'base'] }),
      row('off', { requires: ['base'], state: 'off' }),
      row('ring', { requires: ['news'] }),
    ]
    expect(dependentsOf(rows, 'base').map(({ id }) => id)).toEqual(['mail', 'news', 'ring'])
  })
})
