import { type FSWatcher, readdirSync, watch } from 'node:fs'
import { join, relative } from 'node:path'

/** Folders of generated or downloaded files. */
const left: ReadonlySet<string> = new Set(['node_modules', 'dist'])
/** Editors write a file in several steps. */
const SETTLE_MS = 60

/** Calls `onSaved` with the files that changed below a folder, once changes have paused.
 *  @returns a function that stops watching */
export function watchTree(folder: string, onSaved: (files: readonly string[]) => void): () => void {
  const watched = new Map<string, FSWatcher>()
  const saved = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  const settle = () => {
    look(folder)
    const files = [...saved]
    saved.clear()
    onSaved(files)
  }
  const look = (directory: string): void => {
    if (!watched.has(directory)) watched.set(directory, watching(directory))
    for (const entry of readdirSync(directory, { withFileTypes: true }))
      if (entry.isDirectory() && isMeant(entry.name)) look(join(directory, entry.name))
  }
  const watching = (directory: string): FSWatcher => {
    const watcher = watch(directory, (_event, name) => {
      if (name === null || !isMeant(name)) return
      saved.add(relative(folder, join(directory, name)))
      clearTimeout(timer)
      timer = setTimeout(settle, SETTLE_MS)
    })
    // The folder was removed.
    watcher.on('error', () => {
      watcher.close()
      watched.delete(directory)
    })
    return watcher
  }
  look(folder)
  return () => {
    clearTimeout(timer)
    for (const watcher of watched.values()) watcher.close()
  }
}

function isMeant(name: string): boolean {
  return !left.has(name) && !name.startsWith('.') && !name.endsWith('~')
}
