import { chmodSync, closeSync, existsSync, openSync, statSync } from 'node:fs'

/** Creates an SQLite file that only its owner can read, or removes the rights of all others from an existing one: older
 *  folders and restored backups are often open to everybody. SQLite creates the files beside it (-wal, -shm) with the
 *  rights that the database has at that moment.
 *  @returns false if another user owns one of the files; only that user could change its rights */
export function makePrivate(file: string): boolean {
  if (process.platform === 'win32') return true
  closeSync(opened(file))
  return [file, `${file}-wal`, `${file}-shm`]
    .filter((path) => existsSync(path))
    .every((path) => takeFromOthers(path))
}

/** @throws Error naming the user, as of a backup that somebody else put back */
function opened(file: string): number {
  try {
    return openSync(file, 'a+', 0o600)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EACCES') throw cause
    const user = process.getuid?.() ?? ''
    throw new Error(`${file} cannot be used: user ${user} may not read and write it`, { cause })
  }
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
