#!/usr/bin/env node
// tollgate <command>: commands for operators and authors, beside or instead of `npm start`. Each loads its module when it runs, so that
// a command that needs no gateway does not load one.
import { authorCommands } from './author/commands.ts'
import type { PluginCommand } from './plugins/plugin-commands.ts'

interface Command {
  words: readonly string[]
  summary: string
  /** True if the command takes no arguments. */
  isBare?: true
  run(args: readonly string[]): Promise<number>
}

const print = (line: string) => void process.stdout.write(`${line}\n`)

const commands: readonly Command[] = [
  {
    words: ['serve'],
    summary: 'Starts the gateway, as npm start does; with --safe without any plugin from outside.',
    run: async () => {
      await (await import('../main.ts')).main()
      return -1
    },
  },
  {
    words: ['doctor'],
    isBare: true,
    summary: 'Checks what a start needs: variables, folder, port, database, key, Redis, plugins.',
    run: async () => (await import('./doctor/doctor.ts')).runDoctor(print),
  },
  {
    words: ['migrate'],
    isBare: true,
    summary: 'Brings the database up to date and ends.',
    run: async () => {
      const { bringUpToDate, openNamed, whileOpen } = await import('./open-database.ts')
      const { createLog } = await import('../observability/log.ts')
      const log = createLog('info')
      const steps = await whileOpen(await openNamed(), (database) => bringUpToDate(database, log))
      print(steps.length === 0 ? 'The database is up to date.' : `Done: ${steps.join(', ')}`)
      return 0
    },
  },
  {
    words: ['database', 'copy'],
    isBare: true,
    summary: 'Copies the stopped SQLite of DATA_DIR into the empty PostgreSQL of DATABASE_URL.',
    run: async () => (await import('./copy-database.ts')).copyDatabase(print),
  },
  {
    words: ['import'],
    summary:
      'Fills an empty database from one-api or new-api: SOURCE, a file of SQLite, postgres://… or mysql://….',
    run: async (args) => (await import('./import-database.ts')).runImport(args, print),
  },
  {
    words: ['ledger', 'verify'],
    isBare: true,
    summary:
      'Proves that every balance is the sum of its entries; may run beside a serving gateway.',
    run: async () => {
      const { openCurrent, whileOpen } = await import('./open-database.ts')
      const { ledgerVerify } = await import('./ledger-verify.ts')
      return whileOpen(await openCurrent(), (database) => ledgerVerify({ database, print }))
    },
  },
  {
    words: ['options', 'set'],
    summary:
      'Sets an option, checked as in the console: KEY VALUE, with - as VALUE from the input.',
    run: async (args) => (await import('./set-option.ts')).setOption(args, print),
  },
  {
    words: ['options', 'history'],
    summary: 'Lists who changed an option, from what to what: KEY. May run beside a gateway.',
    run: async (args) => (await import('./option-history.ts')).printOptionHistory(args, print),
  },
  {
    words: ['account', 'reset'],
    summary:
      'Gives an account a new password and takes its second factors away: NAME. Prints the password.',
    run: async (args) => (await import('./reset-account.ts')).resetAccount(args, print),
  },
  {
    words: ['plugin', 'list'],
    isBare: true,
    summary:
      'Lists all plugins with their state. Loads none, so that it works when the gateway cannot start.',
    run: async () => (await import('./plugins/plugin-switch.ts')).listPlugins(print),
  },
  {
    words: ['plugin', 'enable'],
    summary: 'Switches a plugin on: ID, with --yes once you have seen what it asks for.',
    run: async (args) =>
      (await import('./plugins/plugin-switch.ts')).switchPlugin('enable', args, print),
  },
  {
    words: ['plugin', 'add'],
    summary: 'Installs a version of a plugin, off: FOLDER, FILE.tgz or NAME[@RANGE] of npm.',
    run: async (args) => (await import('./plugins/plugin-install.ts')).addPlugin(args, print),
  },
  {
    words: ['plugin', 'use'],
    summary: 'Takes an installed version, newer or older: ID@VERSION, with --yes as for enable.',
    run: async (args) => (await import('./plugins/plugin-install.ts')).usePlugin(args, print),
  },
  {
    words: ['plugin', 'remove'],
    summary:
      'Uninstalls a plugin that is off: ID --tables keep|drop --options keep|drop; or one version: ID@VERSION.',
    run: async (args) => (await import('./plugins/plugin-install.ts')).removePlugin(args, print),
  },
  {
    words: ['plugin', 'rescan'],
    isBare: true,
    summary: 'Has running gateways look at the folders of plugins again.',
    run: async () => (await import('./plugins/plugin-install.ts')).rescanPlugins(print),
  },
  {
    words: ['plugin', 'disable'],
    summary: 'Switches a plugin off: ID. Works when the gateway cannot start because of it.',
    run: async (args) =>
      (await import('./plugins/plugin-switch.ts')).switchPlugin('disable', args, print),
  },
  {
    words: ['plugin', 'unpark'],
    summary: 'Lets a plugin that failed twice be tried again: ID.',
    run: async (args) =>
      (await import('./plugins/plugin-switch.ts')).switchPlugin('unpark', args, print),
  },
  ...authorCommands(print),
  {
    words: ['routes'],
    isBare: true,
    summary: 'Lists every route with who may call it and which plugin brought it.',
    run: async () => (await import('./routes.ts')).listRoutes(print),
  },
  {
    words: ['docs'],
    isBare: true,
    summary: 'Writes the generated pages of docs/ again.',
    run: async () => {
      const { writeReferences } = await import('./docs/docs.ts')
      for (const file of await writeReferences()) print(file)
      return 0
    },
  },
]

function help(fromPlugins: readonly PluginCommand[]): string {
  const all = [...commands, ...fromPlugins]
  const width = Math.max(...all.map(({ words }) => words.join(' ').length))
  const lines = all.map(({ words, summary }) => `  ${words.join(' ').padEnd(width)}  ${summary}`)
  return `Usage: tollgate <command>\n\n${lines.join('\n')}\n\nSettings come from the environment; docs/environment.md lists them.`
}

async function runCommand({ words, isBare, run }: Command, args: readonly string[]) {
  if (!isBare || args.length === 0) return run(args)
  print(`"tollgate ${words.join(' ')}" takes nothing more: ${args.join(' ')}`)
  return 2
}

async function run(args: readonly string[]): Promise<number> {
  const isMeant = ({ words }: Pick<Command, 'words'>) =>
    words.every((word, index) => args[index] === word)
  const command = commands.find(isMeant)
  if (command) return runCommand(command, args.slice(command.words.length))
  const isAsking = args.length === 0 || args[0] === 'help' || args[0] === '--help'
  const { pluginCommands, runPluginCommand } = await import('./plugins/plugin-commands.ts')
  const fromPlugins = await pluginCommands().catch((error: unknown) => {
    // Help is shown even if an environment variable is wrong.
    if (!isAsking) throw error
    return []
  })
  const fromPlugin = fromPlugins.find(isMeant)
  if (fromPlugin) return runPluginCommand(fromPlugin, args.slice(2), print)
  const text = help(fromPlugins)
  print(isAsking ? text : `There is no command "${args.join(' ')}".\n\n${text}`)
  return isAsking ? 0 : 2
}

/** A reader that has read enough (`| head`) does not end a command: its work goes on, and its exit code reports the result. */
function ignoreGoneReader(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
}

/** Runs the command of this process and exits. */
export function begin(): void {
  process.stdout.on('error', ignoreGoneReader)
  run(process.argv.slice(2)).then(
    (code) => {
      // Writing to a pipe takes time: everything printed must be written before the exit.
      if (code >= 0) process.stdout.write('', () => process.exit(code))
    },
    async (error: unknown) => {
      const { reasonOf } = await import('../app/terminal.ts')
      process.stderr.write(`${reasonOf(error)}\n`)
      process.exit(1)
    },
  )
}

if (import.meta.main) begin()
