// Commands for authors of plugins and adapters. None of them needs a configured gateway.
import type { Print } from '../print.ts'
import type { Making } from './new-folder.ts'

export interface AuthorCommand {
  words: readonly string[]
  summary: string
  run(args: readonly string[]): Promise<number>
}

const plugin: Making = { what: 'plugin', room: 'plugins', flag: 'kind' }
const adapter: Making = {
  what: 'adapter',
  room: 'adapters',
  flag: 'format',
  fallback: 'compatible',
}

export function authorCommands(print: Print): AuthorCommand[] {
  return [
    {
      words: ['plugin', 'new'],
      summary: 'Makes the folder of a new plugin that passes its own tests: NAME --kind KIND.',
      run: async (args) => (await import('./new-folder.ts')).newFolder(plugin, args, print),
    },
    {
      words: ['adapter', 'new'],
      summary: 'The same of an adapter: NAME, with --format own for a chat format of its own.',
      run: async (args) => (await import('./new-folder.ts')).newFolder(adapter, args, print),
    },
    {
      words: ['plugin', 'dev'],
      summary: 'Serves a gateway with the plugin in a folder, and follows each save: DIR.',
      run: async (args) => (await import('./dev.ts')).develop(args, print),
    },
    {
      words: ['plugin', 'build'],
      summary: "Makes a plugin's console part, console/index.tsx, into dist/: DIR.",
      run: async (args) =>
        (await import('./scripts.ts')).runScript('console/build/build-part.ts', args),
    },
    {
      words: ['conformance'],
      summary:
        'Checks what must hold of plugins and adapters, by their kind: DIR…, or those of PLUGIN_DIRS.',
      run: async (args) => (await import('./scripts.ts')).runScript('test/kit/run.ts', args),
    },
  ]
}
