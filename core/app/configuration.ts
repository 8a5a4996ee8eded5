// What the folder `config` holds, for core: the settings of the environment and the default values. Commands that need no gateway read it here,
// without loading one.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defaults } from '../../config/defaults.ts'
import { environmentSchema, readEnvironment } from '../../config/environment.ts'
import { settingsOf } from '../../config/settings.ts'
import type { GatewaySettings } from './gateway-settings.ts'
import { root } from './root.ts'

export { defaults, environmentSchema }

/** The settings of this process, or those that other variables make. @throws Error naming a variable that is wrong */
export function readSettings(variables?: Record<string, string>): GatewaySettings {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    version: string
  }
  return settingsOf(readEnvironment(variables), version)
}
