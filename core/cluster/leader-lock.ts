import type { Logger } from '../contract/services.ts'
import type { Database } from '../data/database.ts'
import { PostgresSession, type SessionDatabase } from './postgres-session.ts'
import { tryLock } from './session-sql.ts'

/** The two halves of the advisory lock's key: "toll" in ASCII, and the number of this lock. */
const lockKey = [0x746f6c6c, 1]

/** Makes one of several nodes the leader, as long as it lives. */
export interface LeaderLock {
  /** A signal that is aborted when this node stops being the leader; undefined if another node leads, or if that cannot be found out. */
  acquire(): Promise<AbortSignal | undefined>
  close(): Promise<void>
}

/** A session lock of PostgreSQL. It ends with its connection, so the lock of a dead leader needs no time-out. With
 *  SQLite there is only one node. */
export async function createLeaderLock(dependencies: {
  database: SessionDatabase & Pick<Database, 'dialect'>
  log: Logger
}): Promise<LeaderLock> {
  const { database, log } = dependencies
  if (database.dialect === 'sqlite') return soleLeader()
  const lock = new PostgresLeaderLock(database, log)
  await lock.open()
  return lock
}

function soleLeader(): LeaderLock {
  const term = new AbortController()
  return {
    acquire: async () => (term.signal.aborted ? undefined : term.signal),
    close: async () => term.abort(new Error('The node stops.')),
  }
}

class PostgresLeaderLock implements LeaderLock {
  readonly #session: PostgresSession
  #term: AbortController | undefined
  #asking: Promise<AbortSignal | undefined> | undefined

  constructor(database: SessionDatabase, log: Logger) {
    this.#session = new PostgresSession(database, 'tollgate leader', log, {
      onLost: () => this.#endTerm('The connection that held the leadership is lost.'),
    })
  }

  open(): Promise<void> {
    return this.#session.open()
  }

  acquire(): Promise<AbortSignal | undefined> {
    if (this.#term !== undefined) return Promise.resolve(this.#term.signal)
    // A session that acquires the lock twice would have to release it twice.
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined
    })
    return this.#asking
  }

  async close(): Promise<void> {
    this.#endTerm('The node stops.')
    await this.#session.close()
  }

  async #ask(): Promise<AbortSignal | undefined> {
    const { client } = this.#session
    if (client === undefined) return undefined
    try {
      const isHeld = await tryLock(client, lockKey)
      // The connection that has answered may be closed by now, and the lock released with it.
      if (!isHeld || this.#session.client !== client) return undefined
    } catch {
      return undefined
    }
    this.#term = new AbortController()
    return this.#term.signal
  }

  #endTerm(reason: string): void {
    const term = this.#term
    this.#term = undefined
    term?.abort(new Error(reason))
  }
}
