import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** Makes the data folder and takes it for this process: an SQLite file has one writer.
 *  @throws Error that names the process which holds it */
export function takeDataDir(directory: string): { path: string; release(): void } {
  const path = resolve(directory)
  mkdirSync(path, { recursive: true, mode: 0o700 })
  const file = join(path, 'tollgate.pid')
  for (;;) {
    try {
      const handle = openSync(file, 'wx', 0o600)
      writeSync(handle, String(process.pid))
      closeSync(handle)
      return { path, release: () => rmSync(file, { force: true }) }
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
      const holder = Number(readFileSync(file, 'utf8'))
      if (holder !== process.pid && isAlive(holder)) {
        throw new Error(
          `DATA_DIR ${path} is in use by process ${holder}; stop it, or use PostgreSQL for several processes`,
          { cause: error },
        )
      }
      rmSync(file, { force: true })
    }
  }
}

function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** On PostgreSQL the folder holds the master key only, so any number of processes may have it. */
export function sharedDataDir(directory: string): { path: string; release(): void } {
  const path = resolve(directory)
  mkdirSync(path, { recursive: true, mode: 0o700 })
  return { path, release: () => undefined }
}
