import type { Plugin } from '../../contract/plugin.ts'
import { type Found, isExternal, load } from '../discover.ts'
import { kindOf } from './plugin-rows.ts'

/** The manifests of what comes with the gateway, also of what is off: only these may call themselves essential, for an external plugin can
 *  always be switched off. */
export async function ownPlugins(found: readonly Found[]): Promise<Plugin[]> {
  const own = found.filter((entry) => kindOf(entry) === 'plugin' && !isExternal(entry))
  const outcomes = await Promise.all(own.map((entry) => load(entry)))
  return outcomes.flatMap((outcome) =>
    'manifest' in outcome && outcome.manifest.kind === 'plugin' ? [outcome.manifest] : [],
  )
}
