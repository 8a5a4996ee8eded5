import type { Transaction } from 'sequelize'
import { type QueryOptions, QueryTypes, type Sequelize, UniqueConstraintError } from 'sequelize'
import type { DatabaseService, Logger, TransactionStatements } from '../contract/services.ts'
import { currentAdmission, withoutAdmission } from './admission.ts'
import { databaseAway, named, retryHeader } from './database-errors.ts'
import { bindNamed, type Statement } from './named-values.ts'
import { LONGEST_PAUSE_MS, TransactionTimeout } from './transaction-timeout.ts'
import { BY_PLACE } from './sqlite/driver.ts'
import { isRead } from './statement-kind.ts'
import { insideTransaction, refuseInsideTransaction } from './inside-transaction.ts'
import { errorText } from '../kernel/error-text.ts'

export interface Database extends DatabaseService {
  readonly driver: 'sqlite3' | 'node:sqlite' | 'pg'
  /** @param pauseMs the longest time without a statement */
  transaction<T>(work: (transaction: Transaction) => Promise<T>, pauseMs?: number): Promise<T>
  /** Runs a call and further statements in one transaction on a separate connection; for the ledger's group commit.
   *  @throws BatchError */
  batch(statements: readonly Statement[], call?: BatchCall): Promise<void>
  /** Statements to run first on each connection of `batch`, and at once on the one that is open: settings for the calls
   *  and, on PostgreSQL, the session's lock. There `afterFailover` runs next on the first connection to a server that took over
   *  from another, and that may lack its last commits. */
  onBatchSession(
    statements: readonly Statement[],
    afterFailover?: readonly Statement[],
  ): Promise<void>
  /** A short write transaction of core's own. Like `transaction`, but on SQLite it opens no connection of its own,
   *  which takes 2 ms. Only its own statements may be awaited inside. */
  brief<T>(work: (statements: TransactionStatements) => Promise<T>): Promise<T>
  /** On SQLite, makes this the only process that serves the file, until it ends or releases it. On PostgreSQL any
   *  number may.
   *  @throws if another process has claimed the file */
  claim(): Promise<() => Promise<void>>
  /** For a connection that cannot wait when PostgreSQL accepts no more: closes one whose users can. */
  giveWay(): Promise<void>
  close(): Promise<void>
}

/** A statement that the connection keeps prepared under its text. The values replace `?` or `$1` in order. */
export interface BatchCall {
  sql: string
  values: readonly (string | number)[]
}

export interface DatabaseSettings {
  /** postgres://…; if absent, SQLite in `dataDir`. */
  url?: string | undefined
  dataDir: string
  log: Logger
  /** Tests choose the SQLite driver; otherwise sqlite3 is used if it could be built. */
  sqliteDriver?: 'sqlite3' | 'node:sqlite' | undefined
  /** How long another program's lock of the SQLite file is waited for; tests wait less. */
  lockMs?: number | undefined
  /** How often to check whether PostgreSQL has stopped answering; tests check more often. */
  silenceLookMs?: number | undefined
}

/** A batch that failed. `isTransient`: the same batch may succeed later. `isUnknown`: it may have been committed. */
export class BatchError extends Error {
  readonly code: string
  readonly isTransient: boolean
  readonly isUnknown: boolean

  constructor(cause: unknown, traits: { code: string; isTransient: boolean; isUnknown: boolean }) {
    super(`The batch was not written: ${errorText(cause)}`, {
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
    const { openPostgres } = await import('./postgres/database.ts')
    return openPostgres(settings)
  }
  const { openSqlite } = await import('./sqlite/database.ts')
  return openSqlite(settings)
}

/** The part of the service that is the same for both databases. */
export function databaseService(
  sequelize: Sequelize,
  dialect: DatabaseService['dialect'],
  /** The reason why statements would be in vain at the moment. */
  isSilent: () => Error | undefined = () => undefined,
): Omit<DatabaseService, 'slices' | 'transaction'> & Pick<Database, 'transaction'> {
  guardStatements(sequelize, isSilent)
  return {
    sequelize,
    dialect,
    transaction: async (work, pauseMs) => {
      refuseInsideTransaction('BEGIN')
      refuseSilence(isSilent)
      return admitted(sequelize, work, pauseMs).catch(rethrown)
    },
    select: async (sql, values, transaction) => {
      const text = dialect === 'sqlite' ? asQuery(sql) : sql
      const query = bindingQuery(dialect, { sql: text, values }, transaction)
      const options = { ...query.options, type: QueryTypes.SELECT } as const
      return sequelize.query<never>(query.sql, options)
    },
    run: async (sql, values, transaction) => {
      // BULKDELETE is Sequelize's only raw type that returns the number of changed rows on both databases.
      const query = bindingQuery(dialect, { sql, values }, transaction)
      const options = { ...query.options, type: QueryTypes.BULKDELETE } as const
      return sequelize.query(query.sql, options)
    },
    isUniqueViolation: (error) => error instanceof UniqueConstraintError,
    ping: async () => {
      await sequelize.query('SELECT 1', { type: QueryTypes.SELECT })
    },
  }
}

/** The timeouts of open transactions. */
const timeouts = new WeakMap<Transaction, TransactionTimeout>()

/** A transaction that a console call begins runs only if the caller still has access. */
function admitted<T>(
  sequelize: Sequelize,
  work: (transaction: Transaction) => Promise<T>,
  pauseMs = LONGEST_PAUSE_MS,
): Promise<T> {
  const admission = currentAdmission()
  return sequelize.transaction(async (transaction) => {
    const timeout = new TransactionTimeout('a transaction', { pauseMs })
    timeouts.set(transaction, timeout)
    const limited = timeout.run(() =>
      insideTransaction(async () => {
        await admission?.(transaction)
        return work(transaction)
      }),
    )
    // COMMIT or ROLLBACK follows, which the timeout must not refuse.
    return limited.finally(() => timeouts.delete(transaction))
  })
}

/** A transaction that uses only its statements; for the gateway's own work, whoever started it. */
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

type RawQuery = string | { query: string; values: unknown[] }

/** Guards raw statements and those of models: a write that forgets the open transaction is refused, and errors of an
 *  unreachable database get their name. */
function guardStatements(sequelize: Sequelize, isSilent: () => Error | undefined): void {
  const ask: (sql: RawQuery, options?: QueryOptions) => Promise<unknown> =
    sequelize.query.bind(sequelize)
  const query = async (rawQuery: RawQuery, options?: QueryOptions): Promise<unknown> => {
    const sql = typeof rawQuery === 'string' ? rawQuery : rawQuery.query
    if (options?.transaction) {
      const inside = () => ask(rawQuery, options)
      return (timeouts.get(options.transaction)?.statement(inside) ?? inside()).catch(rethrown)
    }
    if (!isRead(sql)) refuseInsideTransaction(sql)
    refuseSilence(isSilent)
    const isHeld = !isRead(sql) && currentAdmission() !== undefined
    const answer = isHeld
      ? admitted(sequelize, (transaction) => ask(rawQuery, { ...options, transaction }))
      : ask(rawQuery, options)
    return answer.catch(rethrown)
  }
  Object.assign(sequelize, { query })
}

/** Refuses at once: otherwise all statements would wait behind the few that check whether the database is back. */
function refuseSilence(isSilent: () => Error | undefined): void {
  const cause = isSilent()
  if (cause !== undefined) throw databaseAway({}, { cause, headers: retryHeader })
}

/** Includes INSERT … RETURNING, which Sequelize on SQLite treats as a statement without rows. */
function asQuery(sql: string): string {
  return /^\s*insert\b/i.test(sql) ? `/* rows */ ${sql}` : sql
}

function rethrown(error: unknown): never {
  throw named(error)
}

/** Binds the values: Sequelize's replacements become part of the text, which a NUL would cut. SQLite gets
 *  them by place: Sequelize would give each a name, and for each name SQLite looks through all of them. */
function bindingQuery(
  dialect: DatabaseService['dialect'],
  statement: Statement,
  transaction: Transaction | undefined,
) {
  const isSqlite = dialect === 'sqlite'
  const { sql, bound } = bindNamed(statement, (place) => (isSqlite ? '?' : `$${place + 1}`))
  const options = {
    ...(bound.length === 0 ? {} : { bind: isSqlite ? { [BY_PLACE]: bound } : bound }),
    ...(transaction === undefined ? {} : { transaction }),
  }
  return { sql, options }
}
