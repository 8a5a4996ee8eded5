import { textsOf, type Tone } from '#console'
import type { PluginRow } from '../schema.ts'

export const toneOf: Readonly<Record<PluginRow['state'], Tone>> = {
  on: 'success',
  off: 'off',
  failed: 'danger',
  parked: 'warning',
}

export interface PluginFilters extends Record<string, string> {
  search: string
  kind: string
  state: string
}

/** The two tabs of the list: an adapter is what the gateway calls, a plugin what it does itself. */
export const kinds = ['plugin', 'adapter'] as const

export const noFilters: PluginFilters = { search: '', kind: 'plugin', state: '' }

/** The list comes whole: those that somebody has to look at come first.
 *  @param consoleFailures what went wrong in the browser, by id */
export function arrangePlugins(
  rows: PluginRow[],
  filters: PluginFilters,
  consoleFailures: Readonly<Record<string, string>> = {},
): PluginRow[] {
  const isFaulty = (row: PluginRow) =>
    row.state === 'failed' ||
    row.state === 'parked' ||
    row.id in consoleFailures ||
    hasParkedHook(row)
  const words = filters.search.toLowerCase()
  return rows
    .map(withName)
    .filter(({ id, name }) => `${id} ${name}`.toLowerCase().includes(words))
    .filter(({ kind }) => (kind === 'adapter') === (filters.kind === 'adapter'))
    .filter(({ state }) => !filters.state || state === filters.state)
    .toSorted((a, b) => Number(isFaulty(b)) - Number(isFaulty(a)))
}

export function hasParkedHook({ hooks }: PluginRow): boolean {
  return hooks.some(({ is_parked }) => is_parked)
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
