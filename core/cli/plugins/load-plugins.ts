// Loads the code of plugins without a gateway, for commands that need what plugins contribute.
import type { Plugin } from '../../contract/plugin.ts'
import { type Found, isExternal } from '../../kernel/discover.ts'
import { loadInTime } from '../../kernel/generations.ts'
import { registerResolveHook } from '../../kernel/resolve-hook.ts'
import { root } from '../../app/root.ts'
import { readSettings } from '../../app/configuration.ts'
import type { PluginShelf } from './plugin-shelf.ts'

/** The built-in plugins, and the external ones that are switched on. */
export function trusted({ found, records }: Omit<PluginShelf, 'database'>): Found[] {
  return found.all.filter((one) => {
    const { id, blame } = one
    return !isExternal(one) || (!blame && records.isEnabled(id) && !records.hasFailed(id))
  })
}

/** Loads plugins and leaves out those that cannot be loaded. */
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

/** Adapters have no commands and no tables. They are many, so they are not loaded. */
function mayBePlugin({ source, folder }: Pick<Found, 'source' | 'folder'>): boolean {
  return source !== 'built-in' || !folder.startsWith(`${root}/adapters/`)
}
