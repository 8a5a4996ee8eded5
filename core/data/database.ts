import type { Transaction } from 'sequelize'
import { type QueryOptions, QueryTypes, type Sequelize, UniqueConstraintError } from 'sequelize'
import type { DatabaseService, Logger, TransactionStatements } from '../contract/services.ts'
import { currentAdmission, withoutAdmission } from './admission.ts'
import { databaseAway, named, retryHeader } from './database-errors.ts'
import { bindNamed, type Statement } from './named-values.ts'
import { isRead } from './statement-kind.ts'
import { insideTransaction, refuseInsideTransaction } from './write-gate.ts'

export interface Database extends DatabaseService {
  readonly driver: 'sqlite3' | 'node:sqlite' | 'pg'
  /**
   * Runs a call and further statements in one transaction on a connection of its own; for the ledger's group commit.
   * @throws BatchError
   */
  batch(statements: readonly Statement[], call?: BatchCall): Promise<void>
  /**
   * Statements run first on each connection of `batch`, before they return on the one that is open: what calls use and,
   * on PostgreSQL, the lock that a session holds.
   */
  onBatchSession(statements: readonly Statement[]): Promise<void>
  /**
   * A short write transaction of core's own, as `transaction` but on SQLite without a connection of its own to open
   * (2 ms). Nothing but its own statements may be awaited inside.
   */
  brief<T>(work: (statements: TransactionStatements) => Promise<T>): Promise<T>
  /**
   * SQLite: makes this the one process that serves the file, until it ends or releases it. PostgreSQL: any number may.
   * @throws when another process has claimed it
   */
  claim(): Promise<() => Promise<void>>
  /** For a connection that cannot wait, where PostgreSQL takes no more of them: closes one that can. */
  giveWay(): Promise<void>
  close(): Promise<void>
}

/** A statement that the connection keeps prepared by its text; the values stand for `?` or `$1` in order. */
export interface BatchCall {
  sql: string
  values: readonly (string | number)[]
}

export interface DatabaseSettings {
  /** postgres://…; else SQLite in `dataDir`. */
  url?: string | undefined
  dataDir: string
  log: Logger
  /** Tests name the SQLite driver; otherwise sqlite3 where it could be built. */
  sqliteDriver?: 'sqlite3' | 'node:sqlite' | undefined
  /** How often it is looked whether PostgreSQL has gone silent; tests look more often. */
  silenceLookMs?: number | undefined
}

/** A batch that did not happen. `isTransient`: the same batch may succeed later; `isUnknown`: it may have been committed. */
export class BatchError extends Error {
  readonly code: string
  readonly isTransient: boolean
  readonly isUnknown: boolean

  constructor(cause: unknown, traits: { code: string; isTransient: boolean; isUnknown: boolean }) {
    super(`The batch was not written: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    })
    this.name = 'BatchError'
    this.code = traits.code
    this.isTransient = traits.isTransient
    this.isUnknown = traits.isUnknown
  }
}

export async function openDatabase(settings: DatabaseSettings): Promise<Database> {
  if (/^postgres(?:ql)?:\/\//.test(settings.url ?? '')) {
    const { openPostgres } = await import('./postgres-database.ts')
    return openPostgres(settings)
  }
  const { openSqlite } = await import('./sqlite-database.ts')
  return openSqlite(settings)
}

/** The part of the service that is the same on both databases. */
export function databaseService(
  sequelize: Sequelize,
  dialect: DatabaseService['dialect'],
  /** Why nothing need be asked now. */
  isSilent: () => Error | undefined = () => undefined,
): Omit<DatabaseService, 'slices'> {
  guardStatements(sequelize, isSilent)
  return {
    sequelize,
    dialect,
    transaction: async (work) => {
      refuseInsideTransaction('BEGIN')
      refuseSilence(isSilent)
      return admitted(sequelize, work).catch(rethrown)
    },
    select: async (sql, values, transaction) => {
      const text = dialect === 'sqlite' ? asQuery(sql) : sql
      const query = bindingQuery({ sql: text, values }, transaction)
      const options = { ...query.options, type: QueryTypes.SELECT } as const
      return sequelize.query<never>(query.sql, options)
    },
    run: async (sql, values, transaction) => {
      // BULKDELETE is Sequelize's one raw type that gives the number of changed rows on both databases.
      const query = bindingQuery({ sql, values }, transaction)
      const options = { ...query.options, type: QueryTypes.BULKDELETE } as const
      return sequelize.query(query.sql, options)
    },
    isUniqueViolation: (error) => error instanceof UniqueConstraintError,
    ping: async () => {
      await sequelize.query('SELECT 1', { type: QueryTypes.SELECT })
    },
  }
}

/** A transaction that a call of the console begins is done only for those who are let in still. */
function admitted<T>(
  sequelize: Sequelize,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  const admission = currentAdmission()
  return sequelize.transaction((transaction) =>
    insideTransaction(async () => {
      await admission?.(transaction)
      return work(transaction)
    }),
  )
}

/** A transaction of the service, by its statements alone; of the gateway's own work, whoever has set it off. */
export function byStatements<T>(
  service: Pick<DatabaseService, 'dialect' | 'transaction' | 'select' | 'run'>,
  work: (statements: TransactionStatements) => Promise<T>,
): Promise<T> {
  return withoutAdmission(() =>
    service.transaction((transaction) =>
      work({
        dialect: service.dialect,
        select: (sql, values) => service.select(sql, values, transaction),
        run: (sql, values) => service.run(sql, values, transaction),
      }),
    ),
  )
}

type Asked = string | { query: string; values: unknown[] }

/** Raw statements and those of models alike: none forgets its transaction, and a database that is away is told by its name. */
function guardStatements(sequelize: Sequelize, isSilent: () => Error | undefined): void {
  const ask: (sql: Asked, options?: QueryOptions) => Promise<unknown> =
    sequelize.query.bind(sequelize)
  const query = async (asked: Asked, options?: QueryOptions): Promise<unknown> => {
    const sql = typeof asked === 'string' ? asked : asked.query
    if (options?.transaction) return ask(asked, options).catch(rethrown)
    if (!isRead(sql)) refuseInsideTransaction(sql)
    refuseSilence(isSilent)
    const isHeld = !isRead(sql) && currentAdmission() !== undefined
    const answer = isHeld
      ? admitted(sequelize, (transaction) => ask(asked, { ...options, transaction }))
      : ask(asked, options)
    return answer.catch(rethrown)
  }
  Object.assign(sequelize, { query })
}

/** At once: behind the few that find out whether it is back, all others would wait in vain. */
function refuseSilence(isSilent: () => Error | undefined): void {
  const cause = isSilent()
  if (cause !== undefined) throw databaseAway({}, { cause, headers: retryHeader })
}

/** INSERT … RETURNING as well: Sequelize takes what begins with INSERT for a statement without rows on SQLite. */
function asQuery(sql: string): string {
  return /^\s*insert\b/i.test(sql) ? `/* rows */ ${sql}` : sql
}

function rethrown(error: unknown): never {
  throw named(error)
}

/** Values are bound: what Sequelize calls replacements becomes text, which a NUL ends early. */
function bindingQuery(statement: Statement, transaction: Transaction | undefined) {
  const { sql, bound } = bindNamed(statement, (place) => `$${place + 1}`)
  const options = {
    ...(bound.length === 0 ? {} : { bind: bound }),
    ...(transaction === undefined ? {} : { transaction }),
  }
  return { sql, options }
}
