// A PostgreSQL may allow a process fewer connections than it would use (CONNECTION LIMIT of the role, or
// max_connections with other nodes beside it). Whoever asks first would then take them all: the console's lists,
// leaving none for the ledger. So the pool whose users can wait makes do with what it has, and closes a connection for
// users who cannot.
import { setTimeout as pause } from 'node:timers/promises'
import { ConnectionAcquireTimeoutError, type Sequelize } from 'sequelize'
import { hasCause } from '../database-errors.ts'

/** SQLSTATE too_many_connections: of the server, the database or the role. */
const SERVER_FULL = '53300'

/** Pause before the next try, in which a connection of this or another process may become free. */
const RETRY_MS = 100
/** The longest time that a call waits for its connection. */
const FULL_LIMIT_MS = 10_000
/** How soon another connection is tried. */
const REGROW_MS = 10_000

export function isServerFull(error: unknown): boolean {
  return hasCause(error, ({ code }) => code === SERVER_FULL)
}

/** Opens a connection. If the server accepts no more, others close one for it.
 *  @throws the error of `open`, if it has not succeeded after ten seconds */
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
  /** Asks others to close a connection, if not even one could be opened. */
  ask?: () => Promise<void>
}

/** Stands before the pool of a Sequelize and limits how many of its connections are in use, to no fewer than one. */
export class ConnectionRoom {
  readonly #manager: Pick<Manager, 'releaseConnection' | 'destroyConnection'>
  readonly #pool: { readonly size: number; destroyAllNow(): Promise<void> }
  readonly #limits: RoomLimits
  readonly #waiting: (() => void)[] = []
  readonly #inUse = new Set<Connection>()
  #allowed: number
  /** Including those that are being opened. */
  #taken = 0
  /** The server's last refusal. */
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

  /** Closes a connection for somebody who cannot wait: an idle one now, else the next one that is released. The last one is kept. */
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
