// Which plugin's code is running, so that what nobody awaited or caught is blamed on the right one.
import { AsyncLocalStorage } from 'node:async_hooks'
import { pathToFileURL } from 'node:url'

const running = new AsyncLocalStorage<string>()
/** Of the folders that plugins were loaded from. */
const folders = new Map<string, string>()
/** What plugins left behind while generations were built with them; a map for each build. */
const builds = new Set<Map<string, unknown>>()

/** Runs work of a plugin; timers and promises that it makes know whose they are. */
export function runAs<T>(plugin: string, work: () => T): T {
  return running.run(plugin, work)
}

export function rememberFolder(plugin: string, folder: string): void {
  folders.set(`${pathToFileURL(folder).href}/`, plugin)
}

/** The plugin whose code threw, by what it ran in, else by the files on the stack. */
export function culpritOf(error: unknown): string | undefined {
  const known = running.getStore()
  if (known !== undefined) return known
  const stack = stackOf(error)
  return [...folders].find(([folder]) => stack.includes(folder))?.[1]
}

/** A rejection that nobody handled. Returns the plugin that left it behind, if one did. */
export function noteRejection(error: unknown): string | undefined {
  const plugin = culpritOf(error)
  // Two builds may have loaded the one that left it behind, and neither knows of the other.
  if (plugin !== undefined) for (const left of builds) left.set(plugin, error)
  return plugin
}

/** Watches while plugins load: `found` gives what they have left behind so far, each once. */
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

function stackOf(error: unknown): string {
  try {
    return error instanceof Error ? String(error.stack) : ''
  } catch {
    return ''
  }
}
