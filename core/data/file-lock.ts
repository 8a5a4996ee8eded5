import { DatabaseSync } from 'node:sqlite'

/** SQLITE_BUSY (sqlite.org/rescode.html). */
const BUSY = 5

/** SQLite's lock on a file: the system lets go of it with its process, however that ends. A number in a file would outlive it.
 *  @returns what lets go of it; undefined while another process has it
 *  @throws what keeps the file from being made */
export function lockFile(file: string): (() => void) | undefined {
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
