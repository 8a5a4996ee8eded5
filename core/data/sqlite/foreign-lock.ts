import { setTimeout as pause } from 'node:timers/promises'

/** In milliseconds: what SQLite itself waits for the lock of another program, and the pause before the next attempt. SQLite waits with the connection
 *  in hand: whoever reads through it waits too, and so does the event loop, where a statement is put away. */
export const SQLITE_WAIT_MS = 20
const PAUSE_MS = 80

/** Another program (a shell in a transaction, a backup that locks) is writing to the file. Within this process writes take turns. */
export function isLocked(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && error.code === 'SQLITE_BUSY'
}

/** Begins a write again until no other program writes.
 *  @param begin the first statement of the write, of which nothing is left if it fails
 *  @throws SQLITE_BUSY after `limitMs` */
export async function besideOthers<T>(limitMs: number, begin: () => Promise<T>): Promise<T> {
  const beganMs = performance.now()
  for (;;) {
    try {
      return await begin()
    } catch (error) {
      if (!isLocked(error) || performance.now() - beganMs >= limitMs) throw error
    }
    await pause(PAUSE_MS)
  }
}
