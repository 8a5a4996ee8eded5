import { render, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { textsOf } from '#console'
import type { PluginRow } from '../schema.ts'
import { groupAsks } from './asks.tsx'
import { pluginColumns } from './plugin-columns.tsx'
import { arrangePlugins, dependentsOf, noFilters } from './plugin-row.ts'

const row = (id: string, changes: Partial<PluginRow> = {}): PluginRow => ({
  id,
  name: `The ${id}`,
  version: '1.0.0',
  source: 'built-in',
  kind: 'plugin',
  enabled: true,
  is_essential: false,
  state: 'on',
  error: '',
  requires: [],
  options: [],
  hooks: [],
  lacks_range: false,
  versions: [],
  nodes: [],
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

describe('the state of a plugin', () => {
  it('tells of nodes that do otherwise, and of a version only where there is one', () => {
    const other = {
      node: 'n',
      host: 'vm (7)',
      state: 'failed' as const,
      version: '',
      error: 'Gone.',
    }
    const newer = { node: 'm', host: 'vm (8)', state: 'on' as const, version: '2.0.0', error: '' }
    const t = textsOf('plugins')
    const columns = pluginColumns({ t, consoleFailures: {}, onSwitch: () => Promise.resolve() })
    const state = columns.find(({ id }) => id === 'state')
    render(<>{state?.render(row('a', { nodes: [other, newer] }))}</>)
    screen.getByText('On vm (7): Failed. Gone.')
    screen.getByText('On vm (8): On, version 2.0.0.')
    screen.getByRole('img', { name: 'It does otherwise on other nodes.' })
  })
})

describe('what a plugin asks for', () => {
  const ask = (kind: string, name: string, isNew = true) => ({ kind, name, is_new: isNew })

  it('is told by kinds, money first, and what is not limited as all', () => {
    const asks = [
      ask('host', '*'),
      ask('host', 'a.example.com'),
      ask('service', 'ledger', false),
      ask('service', 'routes'),
    ]
    expect(groupAsks(asks)).toEqual([
      { kind: 'money', names: ['ledger'], isNew: false },
      { kind: 'service', names: ['routes'], isNew: true },
      { kind: 'host', names: [], isNew: true },
    ])
  })
})
