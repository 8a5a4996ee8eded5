// `tollgate <plugin> <command>`: commands that plugins contribute.
import type { Plugin } from '../../contract/plugin.ts'
import { discover, type Found } from '../../kernel/discover.ts'
import { sentenceOf } from '../../kernel/plugin-fault.ts'
import { root } from '../../app/root.ts'
import { loadPlugins, trusted } from './load-plugins.ts'
import { openExisting, requireDatabase, whileOpen } from '../open-database.ts'
import { readPlugins } from './plugin-shelf.ts'
import type { Print } from '../print.ts'
import { withGateway } from '../with-gateway.ts'

export interface PluginCommand {
  words: readonly [plugin: string, command: string]
  summary: string
}

/** The commands of all plugins that can be loaded. External plugins are only loaded if they are switched on. */
export async function pluginCommands(): Promise<PluginCommand[]> {
  return (await loadPlugins(await foundPlugins())).flatMap(commandsOf)
}

/** If the database cannot be read, no external plugin counts as switched on. */
async function foundPlugins(): Promise<readonly Found[]> {
  const own = await discover(root, [])
  try {
    return trusted(await whileOpen(await openExisting(), readPlugins))
  } catch {
    return own
  }
}

/** Loads the plugins that are on, without serving. It takes the data directory as a gateway does, so on SQLite it does
 *  not run beside one.
 *  @returns the exit code */
export async function runPluginCommand(
  { words: [plugin, command] }: PluginCommand,
  args: readonly string[],
  print: Print,
): Promise<number> {
  await requireDatabase()
  return withGateway(async ({ host }) => {
    const { contributions, blamed } = host.current
    const known = contributions.cliCommands.get(`${plugin} ${command}`)
    if (known) return await known.run(args, print)
    const blame = blamed.get(plugin)
    print(`Plugin "${plugin}" ${blame ? `failed: ${sentenceOf(blame, 'en')}` : 'is off'}`)
    return 1
  })
}

function commandsOf({ id, cliCommands = [] }: Plugin): PluginCommand[] {
  return cliCommands.map((command) => ({ words: [id, command.id], summary: command.summary }))
}
