import type { Plugin } from '../../contract/plugin.ts'
import { type Found, isExternal, load } from '../discover.ts'
import { kindOf } from './plugin-rows.ts'

/** The manifests of built-in plugins, including those that are off. Only these may be essential, because external
 *  plugins can always be switched off. */
export async function ownPlugins(found: readonly Found[]): Promise<Plugin[]> {
  const own = found.filter((entry) => kindOf(entry) === 'plugin' && !isExternal(entry))
  const outcomes = await Promise.all(own.map((entry) => load(entry)))
  return outcomes.flatMap((outcome) =>
    'manifest' in outcome && outcome.manifest.kind === 'plugin' ? [outcome.manifest] : [],
  )
}
