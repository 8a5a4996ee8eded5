import { textsOf, type Tone } from '#console'

/** One row of `/api/plugin/`. */
export interface PluginRow {
  id: string
  name: string
  version: string
  source: string
  kind: 'plugin' | 'adapter' | 'unknown'
  enabled: boolean
  is_essential: boolean
  state: 'on' | 'off' | 'failed'
  /** Why it could not be loaded; empty otherwise. */
  error: string
  requires: string[]
  /** Keys of its options. */
  options: string[]
}

export const toneOf: Readonly<Record<PluginRow['state'], Tone>> = {
  on: 'success',
  off: 'off',
  failed: 'danger',
}

export interface PluginFilters extends Record<string, string> {
  search: string
  kind: string
  state: string
}

/** What a gateway does, and whom it asks, apart. */
export const kinds = ['plugin', 'adapter'] as const

export const noFilters: PluginFilters = { search: '', kind: 'plugin', state: '' }

/** The list comes whole: failed ones first, because someone has to look at them. */
export function arrangePlugins(rows: PluginRow[], filters: PluginFilters): PluginRow[] {
  const words = filters.search.toLowerCase()
  return rows
    .map(withName)
    .filter(({ id, name }) => `${id} ${name}`.toLowerCase().includes(words))
    .filter(({ kind }) => (kind === 'adapter') === (filters.kind === 'adapter'))
    .filter(({ state }) => !filters.state || state === filters.state)
    .toSorted((a, b) => Number(b.state === 'failed') - Number(a.state === 'failed'))
}

/** A plugin that is off since the start tells no name of its own; its screen's title is as good. */
function withName(row: PluginRow): PluginRow {
  const t = textsOf(row.id)
  return row.name === row.id && t.has('title') ? { ...row, name: t('title') } : row
}

/** Plugins that are on and need the one given, directly or through others. */
export function dependentsOf(rows: readonly PluginRow[], id: string): PluginRow[] {
  const found = new Map<string, PluginRow>()
  const visit = (needed: string) => {
    for (const row of rows) {
      if (row.state !== 'on' || !row.requires.includes(needed) || found.has(row.id)) continue
      found.set(row.id, row)
      visit(row.id)
    }
  }
  visit(id)
  return [...found.values()]
}
