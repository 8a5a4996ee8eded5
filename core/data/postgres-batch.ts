import { Client, DatabaseError } from 'pg'
import { BatchError } from './database.ts'

/** SQLSTATE classes and codes after which the same statements may succeed (PostgreSQL, appendix A). */
const transientStates = /^(?:08|40|53|55P03|57P0)/

/** The connection of the ledger's group commits, opened when needed and again when lost. */
export class PostgresBatch {
  readonly #url: string
  #client: Client | undefined
  #sessionSql = ''
  /** Server process of the last connection: ended before a new one begins, so that no half-open batch commits behind our back. */
  #lastProcessId = 0

  constructor(url: string) {
    this.#url = url
  }

  /** One simple-protocol query: PostgreSQL runs its statements as one transaction. */
  async run(sql: string): Promise<void> {
    let isSent = false
    try {
      const client = await this.#connect()
      isSent = true
      await client.query(sql)
    } catch (cause) {
      const state = (cause as { code?: string }).code ?? ''
      const isAnswer = cause instanceof DatabaseError
      if (!isAnswer || state.startsWith('57P0')) await this.#disconnect()
      throw new BatchError(cause, {
        code: state,
        isTransient: !isAnswer || transientStates.test(state),
        isUnknown: isSent && (!isAnswer || state.startsWith('57P0')),
      })
    }
  }

  async onSession(sql: string): Promise<void> {
    this.#sessionSql += `${sql};`
    const client = await this.#connect()
    await client.query(sql)
  }

  async close(): Promise<void> {
    await this.#disconnect()
  }

  async #connect(): Promise<Client> {
    if (this.#client !== undefined) return this.#client
    const client = new Client({
      connectionString: this.#url,
      application_name: 'tollgate ledger',
      keepAlive: true,
      connectionTimeoutMillis: 10_000,
    })
    // An idle connection that breaks is noticed here; the next batch opens a new one.
    client.on('error', () => {
      if (this.#client === client) this.#client = undefined
    })
    await client.connect()
    await client.query('SET standard_conforming_strings = on')
    if (this.#lastProcessId !== 0) {
      await client.query('SELECT pg_terminate_backend($1)', [this.#lastProcessId])
    }
    const { rows } = await client.query<{ id: number }>('SELECT pg_backend_pid() AS id')
    this.#lastProcessId = rows[0]?.id ?? 0
    if (this.#sessionSql !== '') await client.query(this.#sessionSql)
    this.#client = client
    return client
  }

  async #disconnect(): Promise<void> {
    const client = this.#client
    this.#client = undefined
    await client?.end().catch(() => undefined)
  }
}
