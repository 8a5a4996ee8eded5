import { byPlugin } from '../texts/by-plugin.ts'
import type { ConsolePlugin } from './console-plugin.ts'

/** The console parts of the built-in plugins, found by folder. Only their data is loaded here; screens are loaded
 *  when they are opened. */
export function builtInPlugins(): Record<string, ConsolePlugin> {
  return byPlugin(
    import.meta.glob<ConsolePlugin>('../../plugins/*/console/index.ts', {
      eager: true,
      import: 'default',
    }),
  )
}
