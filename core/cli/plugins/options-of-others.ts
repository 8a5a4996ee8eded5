// Finds out without a gateway who owns an option: one that a plugin's manifest names may belong to core or to another
// plugin.
import { coreOptions } from '../../app/core-options.ts'
import { ownPlugins } from '../../kernel/host/own-plugins.ts'
import { defaults } from '../../app/configuration.ts'
import { factsOfFound } from './plugin-asks.ts'
import type { PluginShelf } from './plugin-shelf.ts'

/** The keys that must stay when the plugin is removed. A plugin with an unreadable manifest owns no keys. */
export async function optionsOfOthers(
  { found: plugins }: Pick<PluginShelf, 'found'>,
  id: string,
): Promise<ReadonlySet<string>> {
  const own = await ownPlugins(plugins.all)
  const foreign = plugins.all.filter(
    (found) => found.id !== id && found.source !== 'built-in' && found.folder !== '',
  )
  const read = await Promise.all(
    foreign.map((found) =>
      factsOfFound(found).then(
        ({ options }) => options,
        () => [],
      ),
    ),
  )
  return new Set([
    ...Object.keys(coreOptions(defaults).schema.properties),
    ...own.flatMap(({ options }) => Object.keys(options?.schema.properties ?? {})),
    ...read.flat(),
  ])
}
