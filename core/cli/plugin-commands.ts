// `tollgate <plugin> <command>`: commands that plugins bring.
import type { Plugin } from '../contract/plugin.ts'
import { discover, type Found, isExternal } from '../kernel/discover.ts'
import { loadInTime } from '../kernel/generations.ts'
import { sentenceOf } from '../kernel/plugin-fault.ts'
import { registerResolveHook } from '../kernel/resolve-hook.ts'
import { assemble, readSettings, root } from '../main.ts'
import { openExisting, readPlugins, requireDatabase } from './plugin-table.ts'

export interface PluginCommand {
  words: readonly [plugin: string, command: string]
  summary: string
}

/** Those of all plugins that can be loaded; what comes from outside is loaded only where the table says that it is on. */
export async function pluginCommands(): Promise<PluginCommand[]> {
  registerResolveHook(root)
  const settings = readSettings()
  const wanted = (await foundPlugins()).filter(mayBePlugin)
  const outcomes = await Promise.all(
    wanted.map((entry) => loadInTime(entry, settings.pluginLoadMs)),
  )
  return outcomes.flatMap((outcome) =>
    'manifest' in outcome && outcome.manifest.kind === 'plugin' ? commandsOf(outcome.manifest) : [],
  )
}

/** What comes with the gateway, and what the table says is on; where the database cannot be read, nothing is. */
async function foundPlugins(): Promise<readonly Found[]> {
  const own = await discover(root, [])
  try {
    const database = await openExisting()
    try {
      const { found, records } = await readPlugins(database)
      return found.all.filter((one) => {
        const { id, blame } = one
        return !isExternal(one) || (!blame && records.isEnabled(id) && !records.hasFailed(id))
      })
    } finally {
      await database.close()
    }
  } catch {
    return own
  }
}

/** Loads the plugins that are on, without serving. Takes the data directory like a gateway would, so it does not run beside one on SQLite.
 *  @returns the exit code */
export async function runPluginCommand(
  { words: [plugin, command] }: PluginCommand,
  args: readonly string[],
  print: (line: string) => void,
): Promise<number> {
  await requireDatabase()
  const gateway = await assemble({ ...readSettings(), logLevel: 'error' }, { isServing: false })
  try {
    const { contributions, blamed } = gateway.host.current
    const known = contributions.cliCommands.get(`${plugin} ${command}`)
    if (known) return await known.run(args, print)
    const blame = blamed.get(plugin)
    print(`Plugin "${plugin}" ${blame ? `failed: ${sentenceOf(blame, 'en')}` : 'is off'}`)
    return 1
  } finally {
    await gateway.host.close()
    await gateway.services.close()
    gateway.releaseDataDir()
  }
}

/** Adapters bring no commands, and there are many of them. */
function mayBePlugin({ source, folder }: { source: string; folder: string }): boolean {
  return source !== 'built-in' || !folder.startsWith(`${root}/adapters/`)
}

function commandsOf({ id, cliCommands = [] }: Plugin): PluginCommand[] {
  return cliCommands.map((command) => ({ words: [id, command.id], summary: command.summary }))
}
