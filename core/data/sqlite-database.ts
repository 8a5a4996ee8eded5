import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Sequelize, Transaction } from 'sequelize'
import {
  BatchError,
  type BriefStatements,
  type Database,
  type DatabaseSettings,
  databaseService,
} from './database.ts'
import {
  gatedDriver,
  loadSqliteDriver,
  type SqliteConnection,
  type SqliteDriver,
} from './sqlite-driver.ts'
import { gateOf, refuseInsideTransaction, type WriteGate } from './write-gate.ts'

export const sqliteFileName = 'tollgate.db'

export async function openSqlite(settings: DatabaseSettings): Promise<Database> {
  mkdirSync(settings.dataDir, { recursive: true })
  const file = resolve(join(settings.dataDir, sqliteFileName))
  const { name, driver, cause } = await loadSqliteDriver(settings.sqliteDriver)
  if (cause !== undefined) {
    settings.log.warn({ cause }, 'sqlite3 could not be loaded, using node:sqlite')
  }
  const { gate, leave } = gateOf(file)
  const gated = gatedDriver(driver, gate)
  // The batch connection takes the gate itself, once for the whole call, so it is opened past it.
  const writer = await openWriter(driver, file)
  const sequelize = new Sequelize({
    dialect: 'sqlite',
    dialectModule: gated,
    storage: file,
    transactionType: Transaction.TYPES.IMMEDIATE,
    logging: false,
  })
  return {
    ...databaseService(sequelize, 'sqlite'),
    driver: name,
    batch: (sql) => batch(gate, writer, sql),
    brief: (work) => brief(gate, writer, work),
    onBatchSession: () => Promise.resolve(),
    close: async () => {
      await sequelize.close()
      await gate.take()
      await new Promise<void>((done) => writer.close(() => done()))
      gate.free()
      leave()
    },
  }
}

async function openWriter(driver: SqliteDriver, file: string): Promise<SqliteConnection> {
  const writer = await new Promise<SqliteConnection>((resolve, reject) => {
    const connection: SqliteConnection = new driver.Database(
      file,
      driver.OPEN_READWRITE | driver.OPEN_CREATE,
      (error) => (error === null ? resolve(connection) : reject(error)),
    )
  })
  await execute(writer, 'PRAGMA busy_timeout = 10000; PRAGMA journal_mode = WAL;')
  await execute(writer, 'PRAGMA synchronous = FULL; PRAGMA cache_size = -16000;')
  return writer
}

async function batch(gate: WriteGate, writer: SqliteConnection, sql: string): Promise<void> {
  await gate.take()
  try {
    await execute(writer, `BEGIN IMMEDIATE;${sql};COMMIT`)
  } catch (cause) {
    // Without an open transaction ROLLBACK is an error of its own, and nothing is lost.
    await execute(writer, 'ROLLBACK').catch(() => undefined)
    const code = (cause as { code?: string }).code ?? 'SQLITE_ERROR'
    const isTransient = code === 'SQLITE_BUSY' || code === 'SQLITE_LOCKED' || code === 'SQLITE_FULL'
    throw new BatchError(cause, { code, isTransient, isUnknown: false })
  } finally {
    gate.free()
  }
}

async function brief<T>(
  gate: WriteGate,
  writer: SqliteConnection,
  work: (statements: BriefStatements) => Promise<T>,
): Promise<T> {
  refuseInsideTransaction('BEGIN')
  await gate.take()
  try {
    await execute(writer, 'BEGIN IMMEDIATE')
    const result = await work({
      select: (sql) => select(writer, sql),
      run: (sql) => execute(writer, sql),
    })
    await execute(writer, 'COMMIT')
    return result
  } catch (error) {
    await execute(writer, 'ROLLBACK').catch(() => undefined)
    throw error
  } finally {
    gate.free()
  }
}

function select<T extends object>(connection: SqliteConnection, sql: string): Promise<T[]> {
  return new Promise((resolve, reject) => {
    connection.all(sql, [], (error, rows = []) =>
      error === null ? resolve(rows as T[]) : reject(error),
    )
  })
}

function execute(connection: SqliteConnection, sql: string): Promise<void> {
  return new Promise((resolve, reject) => {
    connection.exec(sql, (error) => (error === null ? resolve() : reject(error)))
  })
}
