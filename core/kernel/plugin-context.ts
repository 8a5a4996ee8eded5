// Which plugin's code is running, so that unhandled rejections and exceptions are blamed on the right plugin.
import { AsyncLocalStorage } from 'node:async_hooks'
import { pathToFileURL } from 'node:url'
import { stackOf } from './plugin-fault.ts'

const running = new AsyncLocalStorage<string>()
/** Of the folders that plugins were loaded from. */
const folders = new Map<string, string>()
/** Unhandled rejections of plugins while generations were built; one map per build. */
const builds = new Set<Map<string, unknown>>()

/** Runs work of a plugin; timers and promises created in it keep track of their owner. */
export function runAs<T>(plugin: string, work: () => T): T {
  return running.run(plugin, work)
}

export function rememberFolder(plugin: string, folder: string): void {
  folders.set(`${pathToFileURL(folder).href}/`, plugin)
}

/** The plugin whose code threw, by the context that it ran in, else by the files on the stack. */
export function culpritOf(error: unknown): string | undefined {
  const known = running.getStore()
  if (known !== undefined) return known
  const stack = stackOf(error)
  return [...folders].find(([folder]) => stack.includes(folder))?.[1]
}

/** Records an unhandled rejection. Returns the plugin that caused it, if one did. */
export function noteRejection(error: unknown): string | undefined {
  const plugin = culpritOf(error)
  // Two builds may have loaded that plugin, and neither knows of the other.
  if (plugin !== undefined) for (const left of builds) left.set(plugin, error)
  return plugin
}

/** Watches while plugins load: `found` returns their unhandled rejections so far, each once. */
export function watchRejections(): { found(): Promise<Map<string, unknown>>; end(): void } {
  const left = new Map<string, unknown>()
  builds.add(left)
  return {
    found: async () => {
      // Node tells of them when all that waits for promises has run.
      await new Promise((resolve) => setImmediate(resolve))
      const all = new Map(left)
      left.clear()
      return all
    },
    end: () => void builds.delete(left),
  }
}
