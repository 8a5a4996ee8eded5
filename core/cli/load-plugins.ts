// The code of plugins without a gateway, for commands that ask what they bring.
import type { Plugin } from '../contract/plugin.ts'
import { type Found, isExternal } from '../kernel/discover.ts'
import { loadInTime } from '../kernel/generations.ts'
import { registerResolveHook } from '../kernel/resolve-hook.ts'
import { readSettings, root } from '../main.ts'
import type { PluginShelf } from './plugin-table.ts'

/** What comes with the gateway, and what comes from outside where the table says that it is on. */
export function trusted({ found, records }: Omit<PluginShelf, 'database'>): Found[] {
  return found.all.filter((one) => {
    const { id, blame } = one
    return !isExternal(one) || (!blame && records.isEnabled(id) && !records.hasFailed(id))
  })
}

/** Those that can be loaded; the others are left out. */
export async function loadPlugins(found: readonly Found[]): Promise<Plugin[]> {
  registerResolveHook(root)
  const settings = readSettings()
  const outcomes = await Promise.all(
    found.filter(mayBePlugin).map((entry) => loadInTime(entry, settings.pluginLoadMs)),
  )
  return outcomes.flatMap((outcome) =>
    'manifest' in outcome && outcome.manifest.kind === 'plugin' ? [outcome.manifest] : [],
  )
}

/** Adapters bring no commands and no tables, and there are many of them. */
function mayBePlugin({ source, folder }: Pick<Found, 'source' | 'folder'>): boolean {
  return source !== 'built-in' || !folder.startsWith(`${root}/adapters/`)
}
