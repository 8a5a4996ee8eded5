import { Client, type ClientConfig } from 'pg'
import type { Logger } from '../contract/services.ts'
import { boundSession } from '../data/postgres/bounded-session-sql.ts'
import { openFirst } from '../data/postgres/connection-room.ts'
import type { Database } from '../data/database.ts'
import { SerialQueue } from '../kernel/serial-queue.ts'
import { heartbeat, refuseStandby } from './session-sql.ts'

const connectTimeoutMs = 10_000
const queryTimeoutMs = 10_000
const endTimeoutMs = 2_000
/** The error message of pg for a query without an answer. */
const unanswered = 'Query read timeout'
/** A dead network reports no error; only a query without an answer shows it. */
const heartbeatMs = 15_000
const firstRetryMs = 100
const lastRetryMs = 5_000

/** The database to connect to. */
export type SessionDatabase = Pick<Database, 'sequelize' | 'giveWay'>

export interface SessionListener {
  /** Called with a new connection, which has no LISTEN and no locks yet. */
  onOpen?(client: Client): Promise<void>
  onLost(): void
  /** Called when the connection is open again after a loss. */
  onRegained?(): void
  onNotification?(payload: string): void
}

/** One connection to PostgreSQL that is reopened whenever it is lost, for what belongs to a session: LISTEN and session locks. */
export class PostgresSession {
  readonly #config: ClientConfig
  readonly #giveWay: () => Promise<void>
  readonly #log: Logger
  readonly #listener: SessionListener
  #client: Client | undefined
  readonly #queries = new SerialQueue()
  #timer: NodeJS.Timeout | undefined
  #wasLost = false
  #isClosed = false

  constructor(database: SessionDatabase, name: string, log: Logger, listener: SessionListener) {
    this.#config = { ...connectionOf(database), application_name: name }
    this.#giveWay = () => database.giveWay()
    this.#log = log
    this.#listener = listener
  }

  /** Undefined while the connection is lost. */
  get client(): Client | undefined {
    return this.#client
  }

  /** @throws what the first attempt throws; later losses are repaired in the background */
  open(): Promise<void> {
    return openFirst(() => this.#open(), this.#giveWay)
  }

  async #open(): Promise<void> {
    const client = new Client(this.#config)
    let isLost = false
    const lose = (error?: unknown): void => {
      if (isLost) return
      isLost = true
      void client.end().catch(() => undefined)
      if (this.#client === client) this.#lose(error)
    }
    client.on('error', lose)
    client.on('end', lose)
    client.on('notification', ({ payload }) => this.#listener.onNotification?.(payload ?? ''))
    try {
      await client.connect()
      await client.query(boundSession)
      await refuseStandby(client)
      await this.#listener.onOpen?.(client)
    } catch (error) {
      lose(error)
      throw error
    }
    if (this.#isClosed || isLost) {
      lose()
      throw new Error('The connection was closed while it was opened.')
    }
    this.#client = client
    this.#beat(client, lose)
    if (this.#wasLost) this.#listener.onRegained?.()
  }

  /** Runs queries one after the other, since a connection runs one at a time, and pg plans to refuse a second one.
   *  @throws errors of the connection, also that it is lost */
  query(sql: string, values: unknown[] = []): Promise<unknown> {
    return this.#queries.run(() => this.#ask(sql, values))
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    const client = this.#client
    this.#client = undefined
    // A server that does not answer would not confirm the end of the session.
    const limit = setTimeout(() => client?.connection.stream.destroy(), endTimeoutMs)
    await client?.end().catch(() => undefined)
    clearTimeout(limit)
  }

  async #ask(sql: string, values: unknown[]): Promise<unknown> {
    const client = this.#client
    if (client === undefined) throw new Error('not connected')
    try {
      return await client.query(sql, values)
    } catch (error) {
      // pg sends nothing more before it gets an answer, so each further query would wait as long.
      if (error instanceof Error && error.message === unanswered)
        client.connection.stream.destroy(error)
      throw error
    }
  }

  #lose(error: unknown): void {
    this.#client = undefined
    this.#wasLost = true
    this.#log.warn({ err: error }, 'the cluster connection to PostgreSQL is lost; reconnecting')
    this.#listener.onLost()
    this.#retry(firstRetryMs)
  }

  #retry(delayMs: number): void {
    if (this.#isClosed) return
    this.#schedule(delayMs, () => {
      this.open().catch(() => this.#retry(Math.min(delayMs * 2, lastRetryMs)))
    })
  }

  #beat(client: Client, lose: (error: unknown) => void): void {
    this.#schedule(heartbeatMs, () => {
      this.query(heartbeat).then(() => {
        if (this.#client === client) this.#beat(client, lose)
      }, lose)
    })
  }

  #schedule(delayMs: number, work: () => void): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(work, delayMs).unref()
  }
}

/** Fields that Sequelize's types leave out. */
interface SequelizeOptions {
  dialectOptions?: { ssl?: ClientConfig['ssl'] }
}

/** Sequelize has already parsed the URL. Its pool is not used, because this connection has a state of its own. */
function connectionOf({ sequelize }: SessionDatabase): ClientConfig {
  const { config } = sequelize
  const options = Reflect.get(sequelize, 'options') as SequelizeOptions
  return {
    host: config.host,
    port: config.port === undefined ? undefined : Number(config.port),
    user: config.username,
    password: config.password ?? undefined,
    database: config.database,
    ssl: options.dialectOptions?.ssl,
    keepAlive: true,
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: queryTimeoutMs,
  }
}
