import { Client, DatabaseError } from 'pg'
import type { Logger } from '../../contract/services.ts'
import {
  boundSession,
  endProcess,
  ownHistory,
  ownProcess,
  type ServerProcess,
} from './bounded-session-sql.ts'
import { type BatchCall, BatchError } from '../database.ts'
import { openFirst } from './connection-room.ts'
import { bindNamed, type Statement } from '../named-values.ts'
import { READ_ONLY } from './read-only-server.ts'
import type { SilenceWatch } from './silence-watch.ts'

/** SQLSTATE classes and codes after which the same statements may succeed (PostgreSQL, appendix A); 57014 is for statement_timeout or an admin. */
const transientStates = /^(?:08|25006|25P03|40|53|55P03|57014|57P0)/

const CONNECT_LIMIT_MS = 5_000

/** The connection for the ledger's group commits; opened when needed, and again when lost. */
export class PostgresBatch {
  readonly #url: string
  readonly #watch: SilenceWatch
  readonly #giveWay: () => Promise<void>
  readonly #log: Logger
  #client: Client | undefined
  readonly #sessionStatements: Statement[] = []
  readonly #failoverStatements: Statement[] = []
  /** Of the server of the last connection; empty if it does not tell. */
  #history = ''
  /** The last connection's process on the server. It is ended before a new one begins, so that no half-finished batch commits later. */
  #lastProcess: ServerProcess | undefined

  constructor(parts: {
    url: string
    watch: SilenceWatch
    giveWay: () => Promise<void>
    log: Logger
  }) {
    this.#url = parts.url
    this.#watch = parts.watch
    this.#giveWay = parts.giveWay
    this.#log = parts.log
  }

  /** A call without further statements is its own transaction and takes one round trip. Each further statement holds the
   *  locks for one more. */
  async run(statements: readonly Statement[], call?: BatchCall): Promise<void> {
    const client = await this.#connect().catch(notConnected)
    let isSent = false
    try {
      if (call !== undefined && statements.length === 0) {
        isSent = true
        await runCall(client, call)
        return
      }
      await client.query('BEGIN')
      if (call !== undefined) await runCall(client, call)
      await runAll(client, statements)
      isSent = true
      await client.query('COMMIT')
    } catch (cause) {
      throw await this.#failed(cause, isSent)
    }
  }

  async onSession(
    statements: readonly Statement[],
    afterFailover: readonly Statement[] = [],
  ): Promise<void> {
    this.#sessionStatements.push(...statements)
    this.#failoverStatements.push(...afterFailover)
    // A connection that is opened now runs them at its start.
    if (this.#client === undefined) await this.#connect()
    else await runAll(this.#client, statements)
  }

  async close(): Promise<void> {
    await this.#disconnect()
  }

  /** @param isSent the commit was sent, so it may have succeeded although its answer is missing */
  async #failed(cause: unknown, isSent: boolean): Promise<BatchError> {
    const state = (cause as { code?: string }).code ?? ''
    const isAnswer = cause instanceof DatabaseError
    const isLost = !isAnswer || /^(?:57P0|25P03)/.test(state)
    // A read-only server would refuse the next batch as well.
    const isReadOnly = state === READ_ONLY
    // Outside of a transaction, ROLLBACK is only a warning.
    if (isLost || isReadOnly) await this.#disconnect()
    else await this.#client?.query('ROLLBACK').catch(() => this.#disconnect())
    return new BatchError(cause, {
      code: state,
      isTransient: !isAnswer || transientStates.test(state),
      isUnknown: isSent && isLost,
    })
  }

  async #connect(): Promise<Client> {
    if (this.#client !== undefined) return this.#client
    return openFirst(() => this.#open(), this.#giveWay)
  }

  async #open(): Promise<Client> {
    const client = this.#watch.watch(
      new Client({
        connectionString: this.#url,
        application_name: 'tollgate ledger',
        keepAlive: true,
        connectionTimeoutMillis: CONNECT_LIMIT_MS,
      }),
    )
    // An idle connection that breaks is noticed here; the next batch opens a new one.
    client.on('error', () => {
      if (this.#client === client) this.#client = undefined
    })
    try {
      await client.connect()
      await this.#prepare(client)
    } catch (error) {
      // Nothing else would ever close it, and each further attempt would leave one more with its session lock.
      await client.end().catch(() => undefined)
      throw error
    }
    this.#client = client
    return client
  }

  async #prepare(client: Client): Promise<void> {
    await client.query('SET standard_conforming_strings = on')
    await client.query(boundSession)
    const { pid, begun } = this.#lastProcess ?? {}
    if (pid !== undefined) await client.query(endProcess, [pid, begun])
    this.#lastProcess = (await client.query<ServerProcess>(ownProcess)).rows[0]
    await runAll(client, this.#sessionStatements)
    await this.#follow(await historyOf(client), client)
  }

  async #follow(history: string, client: Client): Promise<void> {
    if (history === '' || history === this.#history) return
    if (this.#history !== '') {
      await runAll(client, this.#failoverStatements)
      this.#log.warn({}, 'another PostgreSQL took over; what was committed last may be missing')
    }
    this.#history = history
  }

  async #disconnect(): Promise<void> {
    const client = this.#client
    this.#client = undefined
    await client?.end().catch(() => undefined)
  }
}

/** Empty for servers that do not have these functions or do not allow them, as some of those that clouds have built. */
async function historyOf(client: Client): Promise<string> {
  try {
    const { rows } = await client.query<{ history: string }>(ownHistory)
    return rows[0]?.history ?? ''
  } catch (error) {
    if (error instanceof DatabaseError) return ''
    throw error
  }
}

/** Whatever the reason for which the server refuses the connection (a changed password, a database that is being
 *  replaced), it has not seen the batch. */
function notConnected(cause: unknown): never {
  const { code = '' } = cause as { code?: string }
  throw new BatchError(cause, { code, isTransient: true, isUnknown: false })
}

async function runAll(client: Client, statements: readonly Statement[]): Promise<void> {
  for (const statement of statements) {
    const { sql, bound } = bindNamed(statement, (place) => `$${place + 1}`)
    await client.query(sql, bound)
  }
}

/** pg prepares a named text once for each connection. */
async function runCall(client: Client, { sql, values }: BatchCall): Promise<void> {
  await client.query({ name: 'batch call', text: sql, values: [...values] })
}
