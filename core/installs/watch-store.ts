// How a command tells a gateway beside it, over the folder that both have: on SQLite there is no other way.
import { type FSWatcher, mkdirSync, watch, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from '../contract/services.ts'

const fileName = '.changed'
/** One change of a file is several events. */
const CALM_MS = 100

/** Calls when a command has said something. Returns what ends it. */
export function watchStore(folder: string, onChange: () => void, log: Logger): () => void {
  let timer: NodeJS.Timeout | undefined
  let watcher: FSWatcher | undefined
  const later = () => {
    clearTimeout(timer)
    timer = setTimeout(onChange, CALM_MS)
  }
  const onFault = (error: unknown) =>
    log.warn(
      { err: error, folder },
      'changes by tollgate plugin are followed at the next start only',
    )
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    watcher = watch(folder, { persistent: false }, (_event, name) => {
      if (name === fileName) later()
    })
    watcher.on('error', onFault)
  } catch (error) {
    onFault(error)
  }
  return () => {
    clearTimeout(timer)
    watcher?.close()
  }
}

/** The table and the folders have changed. */
export function tellStore(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  writeFileSync(join(folder, fileName), `${Date.now()}\n`, { mode: 0o600 })
}
