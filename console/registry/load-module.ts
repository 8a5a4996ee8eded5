import type { ConsolePlugin } from './console-plugin.ts'

const shared = globalThis as { tollgateShared?: Record<string, unknown> }

/** Loads the console module of an external plugin; its bare imports find the console's own modules through the import map. */
export async function loadModule(address: string): Promise<ConsolePlugin> {
  shared.tollgateShared ??= (await import('./shared-modules.ts')).default
  const module = (await import(/* @vite-ignore */ address)) as { default?: ConsolePlugin }
  if (!module.default) throw new Error(`${address} has no default export`)
  return module.default
}
