import { chmodSync, closeSync, existsSync, openSync, statSync } from 'node:fs'

/** Makes an SQLite file, or takes it from everybody but its owner: a folder that was there before, and a backup that comes back, are
 *  often open to all. SQLite gives the files beside it (-wal, -shm) the rights of the database at the moment it makes them.
 *  @returns false when another user owns one of them, who alone may change that */
export function makePrivate(file: string): boolean {
  if (process.platform === 'win32') return true
  closeSync(openSync(file, 'a', 0o600))
  return [file, `${file}-wal`, `${file}-shm`]
    .filter((path) => existsSync(path))
    .every((path) => takeFromOthers(path))
}

function takeFromOthers(path: string): boolean {
  if ((statSync(path).mode & 0o077) === 0) return true
  try {
    chmodSync(path, 0o600)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EPERM') return false
    throw error
  }
}
