import { Client, DatabaseError } from 'pg'
import { BatchError } from './database.ts'
import { bindNamed, type Statement } from './named-values.ts'

/** SQLSTATE classes and codes after which the same statements may succeed (PostgreSQL, appendix A). */
const transientStates = /^(?:08|40|53|55P03|57P0)/

/** The connection of the ledger's group commits, opened when needed and again when lost. */
export class PostgresBatch {
  readonly #url: string
  #client: Client | undefined
  readonly #sessionStatements: Statement[] = []
  /** Server process of the last connection: ended before a new one begins, so that no half-open batch commits behind our back. */
  #lastProcessId = 0

  constructor(url: string) {
    this.#url = url
  }

  /**
   * One simple-protocol query: PostgreSQL runs its statements as one transaction, and locks are held for no way across
   * the network. That protocol binds nothing, so the values go ahead, bound, as settings of the session.
   */
  async run(statements: readonly Statement[]): Promise<void> {
    const values: unknown[] = []
    const sql = statements.map((statement) => asSettings(statement, values)).join(';\n')
    let isSent = false
    try {
      const client = await this.#connect()
      if (values.length > 0) await client.query(settingsSql(values.length), values)
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

  async onSession(statements: readonly Statement[]): Promise<void> {
    this.#sessionStatements.push(...statements)
    await runAll(await this.#connect(), statements)
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
    await runAll(client, this.#sessionStatements)
    this.#client = client
    return client
  }

  async #disconnect(): Promise<void> {
    const client = this.#client
    this.#client = undefined
    await client?.end().catch(() => undefined)
  }
}

async function runAll(client: Client, statements: readonly Statement[]): Promise<void> {
  for (const statement of statements) {
    const { sql, bound } = bindNamed(statement, (place) => `$${place + 1}`)
    await client.query(sql, bound)
  }
}

/** The statement with its values read from the settings that `settingsSql` makes; adds them to `values`. */
function asSettings(statement: Statement, values: unknown[]): string {
  const { sql, bound } = bindNamed(
    statement,
    (place) => `current_setting('tollgate.value_${values.length + place}')`,
  )
  values.push(...bound)
  return sql
}

function settingsSql(count: number): string {
  const settings = Array.from(
    { length: count },
    (_, place) => `set_config('tollgate.value_${place}', $${place + 1}, false)`,
  )
  return `SELECT ${settings.join(', ')}`
}
