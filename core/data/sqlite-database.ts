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
import { isAway, named } from './database-errors.ts'
import { bindNamed, type Statement } from './named-values.ts'
import {
  connectionPragmas,
  gatedDriver,
  loadSqliteDriver,
  type SqliteConnection,
  type SqliteDriver,
} from './sqlite-driver.ts'
import { makePrivate } from './private-file.ts'
import { gateOf, refuseInsideTransaction, type WriteGate } from './write-gate.ts'

const sqliteFileName = 'tollgate.db'

export async function openSqlite(settings: DatabaseSettings): Promise<Database> {
  mkdirSync(settings.dataDir, { recursive: true })
  const file = resolve(join(settings.dataDir, sqliteFileName))
  if (!makePrivate(file)) settings.log.warn({ file }, 'other users may read the database file')
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
    batch: (statements) => batch(gate, writer, statements),
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
  await execute(writer, `PRAGMA temp_store = MEMORY; ${makeTexts}`)
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

/**
 * The texts of a small batch, which its statements read by place: all of them go to the driver's threads and back in
 * one way, and not in three for each bound statement, which doubled the time of a lone commit. In a large batch binding is cheaper.
 */
const makeTexts = 'CREATE TEMP TABLE batch_texts (place INTEGER PRIMARY KEY, value TEXT NOT NULL)'
const fillTexts = 'REPLACE INTO batch_texts SELECT key, value FROM json_each(?)'
const smallBatch = 32

async function runTogether(
  writer: SqliteConnection,
  statements: readonly Statement[],
): Promise<boolean> {
  const texts: unknown[] = []
  const sql = statements.map((statement) => {
    const place = (index: number) =>
      `(SELECT value FROM batch_texts WHERE place = ${first + index})`
    const first = texts.length
    const named = bindNamed(statement, place)
    texts.push(...named.bound)
    return named.sql
  })
  if (texts.length > smallBatch) return false
  if (texts.length > 0) await runBound(writer, fillTexts, [JSON.stringify(texts)])
  await execute(writer, `BEGIN IMMEDIATE;${sql.join(';')};COMMIT`)
  return true
}

async function runApart(writer: SqliteConnection, statements: readonly Statement[]): Promise<void> {
  let plain = 'BEGIN IMMEDIATE;'
  for (const statement of statements) {
    const { sql, bound } = bindNamed(statement, () => '?')
    if (bound.length === 0) {
      plain += `${sql};`
      continue
    }
    if (plain !== '') await execute(writer, plain)
    plain = ''
    await runBound(writer, sql, bound)
  }
  await execute(writer, `${plain}COMMIT`)
}

async function batch(
  gate: WriteGate,
  writer: SqliteConnection,
  statements: readonly Statement[],
): Promise<void> {
  await gate.take()
  try {
    if (!(await runTogether(writer, statements))) await runApart(writer, statements)
  } catch (cause) {
    // Without an open transaction ROLLBACK is an error of its own, and nothing is lost.
    await execute(writer, 'ROLLBACK').catch(() => undefined)
    const code = (cause as { code?: string }).code ?? 'SQLITE_ERROR'
    const isTransient = code === 'SQLITE_BUSY' || code === 'SQLITE_LOCKED' || isAway(cause)
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
      select: (sql, values) => select(writer, { sql, values }),
      run: (sql, values) => run(writer, { sql, values }),
    })
    await execute(writer, 'COMMIT')
    return result
  } catch (error) {
    await execute(writer, 'ROLLBACK').catch(() => undefined)
    throw named(error)
  } finally {
    gate.free()
  }
}

function select<T extends object>(
  connection: SqliteConnection,
  statement: Statement,
): Promise<T[]> {
  const { sql, bound } = bindNamed(statement, () => '?')
  return new Promise((resolve, reject) => {
    connection.all(sql, bound, (error, rows = []) =>
      error === null ? resolve(rows as T[]) : reject(error),
    )
  })
}

function run(connection: SqliteConnection, statement: Statement): Promise<void> {
  const { sql, bound } = bindNamed(statement, () => '?')
  return bound.length === 0 ? execute(connection, sql) : runBound(connection, sql, bound)
}

function runBound(connection: SqliteConnection, sql: string, bound: unknown[]): Promise<void> {
  return new Promise((resolve, reject) => {
    connection.run(sql, bound, (error) => (error === null ? resolve() : reject(error)))
  })
}

function execute(connection: SqliteConnection, sql: string): Promise<void> {
  return new Promise((resolve, reject) => {
    connection.exec(sql, (error) => (error === null ? resolve() : reject(error)))
  })
}
