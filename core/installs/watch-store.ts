// Commands notify a gateway that runs beside them by a file in the folder that both use. On SQLite there is no other
// way.
import { type FSWatcher, mkdirSync, watch, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from '../contract/services.ts'

const fileName = '.changed'
/** A file system reports one change as several events. */
const CALM_MS = 100

/** Calls `onChange` when a command has changed something.
 *  @returns a function that stops watching */
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

/** Notifies gateways that the table and the folders have changed. */
export function signalChange(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  writeFileSync(join(folder, fileName), `${Date.now()}\n`, { mode: 0o600 })
}
