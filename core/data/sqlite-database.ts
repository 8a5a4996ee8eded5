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
  connectionPragmas,
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
  const claims = claimsOf(() => claimFile(driver, file))
  return {
    ...databaseService(sequelize, 'sqlite'),
    driver: name,
    batch: (sql) => batch(gate, writer, sql),
    brief: (work) => brief(gate, writer, work),
    claim: claims.add,
    onBatchSession: () => Promise.resolve(),
    close: async () => {
      await sequelize.close()
      await gate.take()
      await closed(writer)
      await claims.end()
      gate.free()
      leave()
    },
  }
}

/**
 * The connection of the ledger's group commits. NORMAL: a commit survives the end of the process at once and a power cut
 * after the next checkpoint or the next commit elsewhere, which is FULL: top-ups and edits of balances are never lost, a cut can
 * make the calls of its last moments free. FULL here would cost a tenth of all calls a second (core/decisions/0003).
 */
async function openWriter(driver: SqliteDriver, file: string): Promise<SqliteConnection> {
  const writer = await open(driver, file)
  await execute(writer, connectionPragmas)
  await execute(writer, 'PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
  return writer
}

/** Holds SQLite's own lock on a file beside the database; the system lets go of it with the process, however that ends. */
async function claimFile(driver: SqliteDriver, file: string): Promise<SqliteConnection> {
  const connection = await open(driver, `${file}.lock`)
  try {
    await execute(connection, 'BEGIN EXCLUSIVE')
    return connection
  } catch (cause) {
    await closed(connection)
    throw new Error(`Another process is serving ${file}`, { cause })
  }
}

/** One lock for all who claim through the same service. */
function claimsOf(lock: () => Promise<SqliteConnection>): {
  add: () => Promise<() => Promise<void>>
  end: () => Promise<void>
} {
  let held: Promise<SqliteConnection> | undefined
  let count = 0
  const end = async () => {
    const connection = await held?.catch(() => undefined)
    held = undefined
    count = 0
    if (connection !== undefined) await closed(connection)
  }
  const add = async () => {
    held ??= lock()
    try {
      await held
    } catch (error) {
      held = undefined
      throw error
    }
    count += 1
    return async () => {
      count -= 1
      if (count === 0) await end()
    }
  }
  return { add, end }
}

function open(driver: SqliteDriver, file: string): Promise<SqliteConnection> {
  return new Promise((resolve, reject) => {
    const connection: SqliteConnection = new driver.Database(
      file,
      driver.OPEN_READWRITE | driver.OPEN_CREATE,
      (error) => (error === null ? resolve(connection) : reject(error)),
    )
  })
}

function closed(connection: SqliteConnection): Promise<void> {
  return new Promise((resolve) => connection.close(() => resolve()))
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
