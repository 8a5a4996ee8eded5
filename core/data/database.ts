import type { Transaction } from 'sequelize'
import { QueryTypes, type Sequelize, UniqueConstraintError } from 'sequelize'
import type { DatabaseService, Logger } from '../index.ts'
import { isRead } from './statement-kind.ts'
import { insideTransaction, refuseInsideTransaction } from './write-gate.ts'

export interface Database extends DatabaseService {
  readonly driver: 'sqlite3' | 'node:sqlite' | 'pg'
  /**
   * Runs many statements in one call and one transaction on a connection of its own; for the ledger's group commit.
   * The text is executed as it stands: values must have been written by `literal` (core/data/literal.ts).
   * @throws BatchError
   */
  batch(sql: string): Promise<void>
  /**
   * A short write transaction of core's own, as `transaction` but on SQLite without a connection of its own to open
   * (2 ms). Values go into the text by `literal`; nothing but its own statements may be awaited inside.
   */
  brief<T>(work: (statements: BriefStatements) => Promise<T>): Promise<T>
  /**
   * SQLite: makes this the one process that serves the file, until it ends or releases it. PostgreSQL: any number may.
   * @throws when another process has claimed it
   */
  claim(): Promise<() => Promise<void>>
  /**
   * PostgreSQL: statements run first on each new connection of `batch`, e.g. to hold a session lock.
   * SQLite: ignored, one process holds the file.
   */
  onBatchSession(sql: string): Promise<void>
  close(): Promise<void>
}

export interface BriefStatements {
  select: <T extends object>(sql: string) => Promise<T[]>
  run: (sql: string) => Promise<unknown>
}

export interface DatabaseSettings {
  /** postgres://…; else SQLite in `dataDir`. */
  url?: string | undefined
  dataDir: string
  log: Logger
  /** Tests name the SQLite driver; otherwise sqlite3 where it could be built. */
  sqliteDriver?: 'sqlite3' | 'node:sqlite' | undefined
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
    return openPostgres(settings.url ?? '')
  }
  const { openSqlite } = await import('./sqlite-database.ts')
  return openSqlite(settings)
}

/** The part of the service that is the same on both databases. */
export function databaseService(
  sequelize: Sequelize,
  dialect: DatabaseService['dialect'],
): DatabaseService {
  return {
    sequelize,
    dialect,
    transaction: (work) => {
      refuseInsideTransaction('BEGIN')
      return sequelize.transaction((transaction) => insideTransaction(() => work(transaction)))
    },
    select: async (sql, replacements, transaction) => {
      if (transaction === undefined && !isRead(sql)) refuseInsideTransaction(sql)
      const options = queryOptions(QueryTypes.SELECT, replacements, transaction)
      return sequelize.query(dialect === 'sqlite' ? asQuery(sql) : sql, options)
    },
    run: async (sql, replacements, transaction) => {
      if (transaction === undefined) refuseInsideTransaction(sql)
      // BULKDELETE is Sequelize's one raw type that gives the number of changed rows on both databases.
      const options = queryOptions(QueryTypes.BULKDELETE, replacements, transaction)
      return sequelize.query(sql, options)
    },
    isUniqueViolation: (error) => error instanceof UniqueConstraintError,
    ping: async () => {
      await sequelize.query('SELECT 1', { type: QueryTypes.SELECT })
    },
  }
}

/** INSERT … RETURNING as well: Sequelize takes what begins with INSERT for a statement without rows on SQLite. */
function asQuery(sql: string): string {
  return /^\s*insert\b/i.test(sql) ? `/* rows */ ${sql}` : sql
}

function queryOptions<T extends QueryTypes.SELECT | QueryTypes.BULKDELETE>(
  type: T,
  replacements: Record<string, unknown> | undefined,
  transaction: Transaction | undefined,
): { type: T; replacements?: Record<string, unknown>; transaction?: Transaction } {
  return {
    type,
    ...(replacements === undefined ? {} : { replacements }),
    ...(transaction === undefined ? {} : { transaction }),
  }
}
