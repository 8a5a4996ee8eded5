// `tollgate <plugin> <command>`: commands that plugins bring.
import type { Plugin } from '../contract/plugin.ts'
import { discover } from '../kernel/discover.ts'
import { loadInTime } from '../kernel/generations.ts'
import { registerResolveHook } from '../kernel/resolve-hook.ts'
import { assemble, readSettings, root } from '../main.ts'

export interface PluginCommand {
  words: readonly [plugin: string, command: string]
  summary: string
}

/** Those of all plugins that can be loaded, without a database: whether a plugin is on shows when a command of it runs. */
export async function pluginCommands(): Promise<PluginCommand[]> {
  registerResolveHook(root)
  const found = await discover(root, readSettings().pluginDirs)
  const outcomes = await Promise.all(found.filter(mayBePlugin).map(loadInTime))
  return outcomes.flatMap((outcome) =>
    'manifest' in outcome && outcome.manifest.kind === 'plugin' ? commandsOf(outcome.manifest) : [],
  )
}

/** Loads the plugins that are on, without serving. Takes the data directory like a gateway would, so it does not run beside one on SQLite.
 *  @returns the exit code */
export async function runPluginCommand(
  { words: [plugin, command] }: PluginCommand,
  args: readonly string[],
  print: (line: string) => void,
): Promise<number> {
  const gateway = await assemble({ ...readSettings(), logLevel: 'error' }, { isServing: false })
  try {
    const { contributions, blamed } = gateway.host.current
    const known = contributions.cliCommands.get(`${plugin} ${command}`)
    if (known) return await known.run(args, print)
    print(`Plugin "${plugin}" ${blamed.has(plugin) ? `failed: ${blamed.get(plugin)}` : 'is off'}`)
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
