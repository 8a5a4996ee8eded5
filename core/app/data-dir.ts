import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** SQLITE_BUSY (sqlite.org/rescode.html). */
const BUSY = 5

/** Makes the data folder and takes it for this process: an SQLite file has one writer.
 *  @throws Error that names the process which holds it */
export function takeDataDir(directory: string): { path: string; release(): void } {
  const path = made(directory)
  const file = join(path, 'tollgate.pid')
  const lock = lockOf(path, file)
  writeFileSync(file, String(process.pid), { mode: 0o600 })
  return {
    path,
    release: () => {
      rmSync(file, { force: true })
      lock.close()
    },
  }
}

/** On PostgreSQL the folder holds the master key only, so any number of processes may have it. */
export function sharedDataDir(directory: string): { path: string; release(): void } {
  return { path: made(directory), release: () => undefined }
}

function made(directory: string): string {
  const path = resolve(directory)
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
    return path
  } catch (cause) {
    throw unusable(path, cause)
  }
}

/** SQLite's lock on a file: the system lets go of it with its process, however that ends. A number in a file would outlive it. */
function lockOf(path: string, holderFile: string): DatabaseSync {
  let lock: DatabaseSync | undefined
  try {
    lock = new DatabaseSync(join(path, 'tollgate.lock'))
    lock.exec('PRAGMA journal_mode = OFF; BEGIN EXCLUSIVE')
    return lock
  } catch (cause) {
    lock?.close()
    const isBusy = cause instanceof Error && 'errcode' in cause && cause.errcode === BUSY
    if (!isBusy) throw unusable(path, cause)
    throw new Error(
      `DATA_DIR ${path} is in use by ${holder(holderFile)}; stop it, or use PostgreSQL for several processes`,
      { cause },
    )
  }
}

function holder(file: string): string {
  try {
    return `process ${Number(readFileSync(file, 'utf8'))}`
  } catch {
    return 'another process'
  }
}

function unusable(path: string, cause: unknown): Error {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new Error(`DATA_DIR ${path} cannot be used: ${reason}`, { cause })
}
