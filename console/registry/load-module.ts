import { inTime } from './in-time.ts'

const shared = globalThis as { tollgateShared?: Record<string, unknown> }

/** Loads the console module of an external plugin. The import map resolves its bare imports to the console's own
 *  modules.
 *  @throws Error if it fails or takes too long */
export async function loadModule(address: string): Promise<unknown> {
  shared.tollgateShared ??= (await import('./shared-modules.ts')).default
  const loading = import(/* @vite-ignore */ address) as Promise<{ default?: unknown }>
  return (await inTime(loading)).default
}
