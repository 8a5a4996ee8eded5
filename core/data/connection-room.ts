// A PostgreSQL may give a process fewer connections than it would take (CONNECTION LIMIT of the role, max_connections with other nodes beside it).
// Whoever asked first would then have them all: the lists of the console, and the ledger none. So the pool that may wait makes do with what it has,
// and closes one of its own for whoever may not.
import { setTimeout as pause } from 'node:timers/promises'
import { ConnectionAcquireTimeoutError, type Sequelize } from 'sequelize'

/** SQLSTATE too_many_connections: of the server, of the database, or of the role. */
const SERVER_FULL = '53300'
const deepestCause = 5

/** A seat of this process, or a connection of another one, may be free by then. */
const RETRY_MS = 100
/** What a call waits for its connection where others have all of them. */
const FULL_LIMIT_MS = 10_000
/** How soon one more is tried. */
const REGROW_MS = 10_000

export function isServerFull(error: unknown): boolean {
  let current = error
  for (let depth = 0; depth < deepestCause && current instanceof Error; depth += 1) {
    const { code, cause, parent } = current as Error & { code?: unknown; parent?: unknown }
    if (code === SERVER_FULL) return true
    current = cause ?? parent
  }
  return false
}

/**
 * Opens a connection for which others give way where the server takes no more.
 * @throws what `open` throws, when it is still so after ten seconds
 */
export async function openFirst<T>(
  open: () => Promise<T>,
  giveWay: () => Promise<void>,
): Promise<T> {
  const endMs = performance.now() + FULL_LIMIT_MS
  for (;;) {
    try {
      return await open()
    } catch (error) {
      if (!isServerFull(error) || performance.now() >= endMs) throw error
      await giveWay()
      await pause(RETRY_MS)
    }
  }
}

type Manager = Sequelize['connectionManager']
type Connection = Awaited<ReturnType<Manager['getConnection']>>

export interface RoomLimits {
  most: number
  waitMs: number
  /** Asks others for a connection, where not even one could be opened. */
  ask?: () => Promise<void>
}

/** Stands before the pool of a Sequelize: so many of its connections are in use at a time, and never fewer than one. */
export class ConnectionRoom {
  readonly #manager: Pick<Manager, 'releaseConnection' | 'destroyConnection'>
  readonly #pool: { readonly size: number; destroyAllNow(): Promise<void> }
  readonly #limits: RoomLimits
  readonly #waiting: (() => void)[] = []
  readonly #inUse = new Set<Connection>()
  #allowed: number
  /** With those that are being opened. */
  #taken = 0
  /** Of the server, the last one. */
  #refusal = new Error('every connection is in use')
  #regrowth: NodeJS.Timeout | undefined

  constructor({ connectionManager: manager }: Sequelize, limits: RoomLimits) {
    const get = manager.getConnection.bind(manager)
    this.#manager = {
      releaseConnection: manager.releaseConnection.bind(manager),
      destroyConnection: manager.destroyConnection.bind(manager),
    }
    // Sequelize's types leave it out.
    this.#pool = Reflect.get(manager, 'pool') as { size: number; destroyAllNow(): Promise<void> }
    this.#limits = limits
    this.#allowed = limits.most
    Object.assign(manager, {
      getConnection: (options) => this.#get(() => get(options)),
      releaseConnection: (connection) => this.#release(connection),
      destroyConnection: (connection) => this.#destroy(connection),
    } satisfies Partial<Manager>)
  }

  /** One fewer, for who cannot wait: idle ones are closed now, else the next that is released. The last one stays. */
  async giveWay(): Promise<void> {
    if (this.#pool.size <= 1) return
    this.#shrinkTo(Math.min(this.#allowed, this.#pool.size) - 1)
    await this.#pool.destroyAllNow()
  }

  close(): void {
    clearTimeout(this.#regrowth)
  }

  async #get(open: () => Promise<Connection>): Promise<Connection> {
    const beganMs = performance.now()
    for (;;) {
      await this.#takeSeat(beganMs + this.#limits.waitMs)
      try {
        const connection = await open()
        this.#inUse.add(connection)
        return connection
      } catch (error) {
        this.#leave()
        if (!(error instanceof Error && isServerFull(error))) throw error
        this.#refusal = error
        this.#shrinkTo(Math.min(this.#allowed, this.#taken))
        if (this.#taken > 0) continue
        if (performance.now() - beganMs >= FULL_LIMIT_MS) throw error
        await this.#limits.ask?.()
        await pause(RETRY_MS)
      }
    }
  }

  #takeSeat(endMs: number): Promise<void> {
    if (this.#taken < this.#allowed) {
      this.#taken += 1
      return Promise.resolve()
    }
    return new Promise((resolve, reject) => {
      const enter = () => {
        clearTimeout(limit)
        resolve()
      }
      const limit = setTimeout(
        () => {
          this.#waiting.splice(this.#waiting.indexOf(enter), 1)
          reject(new ConnectionAcquireTimeoutError(this.#refusal))
        },
        Math.max(0, endMs - performance.now()),
      )
      this.#waiting.push(enter)
    })
  }

  #release(connection: Connection): void {
    if (this.#taken > this.#allowed) void this.#destroy(connection).catch(() => undefined)
    else {
      this.#manager.releaseConnection(connection)
      if (this.#inUse.delete(connection)) this.#leave()
    }
  }

  #destroy(connection: Connection): Promise<void> {
    const destroyed = this.#manager.destroyConnection(connection)
    if (this.#inUse.delete(connection)) this.#leave()
    return destroyed
  }

  #leave(): void {
    this.#taken -= 1
    this.#admit()
  }

  #admit(): void {
    while (this.#taken < this.#allowed) {
      const enter = this.#waiting.shift()
      if (enter === undefined) return
      this.#taken += 1
      enter()
    }
  }

  #shrinkTo(count: number): void {
    this.#allowed = Math.max(1, count)
    this.#regrow()
  }

  #regrow(): void {
    clearTimeout(this.#regrowth)
    if (this.#allowed >= this.#limits.most) return
    this.#regrowth = setTimeout(() => {
      this.#allowed += 1
      this.#admit()
      this.#regrow()
    }, REGROW_MS).unref()
  }
}
