import { rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

/** SQLITE_BUSY (sqlite.org/rescode.html). */
const BUSY = 5

/** An SQLite lock on a file. The system releases it when its process ends, however it ends; a process id in the file
 *  would remain.
 *  @returns a function that releases it; undefined if another process holds it
 *  @throws the error that prevents creating the file */
export function lockFile(file: string): (() => void) | undefined {
  const unlock = tryLock(file)
  if (unlock === undefined) requireLocks(file)
  return unlock
}

/** SQLite says of a file system without locks, such as some that come over a network, that each file is in use.
 *  @throws Error if nobody can lock a file that nobody else uses, beside the given one */
export function requireLocks(file: string): void {
  const own = `${file}.${process.pid}`
  const unlock = tryLock(own)
  unlock?.()
  rmSync(own, { force: true })
  if (unlock === undefined) throw new Error('its file system has no locks, which SQLite needs')
}

function tryLock(file: string): (() => void) | undefined {
  const lock = new DatabaseSync(file)
  try {
    lock.exec('PRAGMA journal_mode = OFF; BEGIN EXCLUSIVE')
    return () => lock.close()
  } catch (error) {
    lock.close()
    if (error instanceof Error && 'errcode' in error && error.errcode === BUSY) return undefined
    throw error
  }
}
