import { dirname, join, resolve } from 'node:path'
import { Sequelize, Transaction } from 'sequelize'
import { type Database, type DatabaseSettings, databaseService } from '../database.ts'
import {
  connectionPragmas,
  gatedDriver,
  loadSqliteDriver,
  type SqliteConnection,
  type SqliteDriver,
} from './driver.ts'
import { placeOf } from './file-in-place.ts'
import { lockFile } from './file-lock.ts'
import { makeFolder } from '../make-folder.ts'
import { makePrivate } from './private-file.ts'
import { slicesBy } from '../slices.ts'
import { execute, SqliteWriter } from './writer.ts'
import { gateOf } from './write-gate.ts'
import { errorText } from '../../kernel/error-text.ts'

export const sqliteFileName = 'tollgate.db'

export async function openSqlite(settings: DatabaseSettings): Promise<Database> {
  const file = resolve(join(settings.dataDir, sqliteFileName))
  makeFolder(dirname(file), 0o700)
  if (!makePrivate(file)) settings.log.warn({ file }, 'other users may read the database file')
  const { name, driver, cause } = await loadSqliteDriver(settings.sqliteDriver)
  if (cause !== undefined) {
    settings.log.warn({ cause }, 'sqlite3 could not be loaded, using node:sqlite')
  }
  const { gate, leave } = gateOf(file, settings.lockMs)
  const connection = await openWriter(driver, file)
  const place = placeOf(file)
  const gated = gatedDriver(driver, gate, place)
  // The writer takes the gate itself, so its connection does not go through the gated driver.
  const writer = new SqliteWriter(connection, gate, place)
  const sequelize = new Sequelize({
    dialect: 'sqlite',
    dialectModule: gated,
    storage: file,
    // A file that was deleted meanwhile is not made anew: an empty one would be taken for the database.
    dialectOptions: { mode: driver.OPEN_READWRITE },
    transactionType: Transaction.TYPES.IMMEDIATE,
    logging: false,
    // Whoever begins a write has waited for the file's lock already.
    retry: { max: 1 },
  })
  const claims = claimsOf(() => claimFile(file))
  return {
    ...databaseService(sequelize, 'sqlite'),
    slices: slicesBy({
      transaction: (work) => writer.brief('work', work),
      isAwaited: () => gate.isAwaited,
    }),
    driver: name,
    batch: (statements, call) => writer.batch(statements, call),
    onBatchSession: (statements) => writer.onSession(statements),
    brief: (work) => writer.brief('call', work),
    claim: claims.add,
    giveWay: () => Promise.resolve(),
    close: async () => {
      await sequelize.close()
      const isTaken = await gate.take().then(
        () => true,
        () => false,
      )
      await writer.close()
      claims.end()
      if (isTaken) gate.free()
      leave()
    },
  }
}

/** Opens the connection of the ledger's group commits. With NORMAL, a commit survives the end of the process at once, and
 *  a power cut after the next checkpoint or the next commit on another connection. Those use FULL, so top-ups and edits
 *  of balances are never lost, but the last calls before a power cut may be free. FULL here would cost a tenth of the
 *  calls per second (core/decisions/0003). */
async function openWriter(driver: SqliteDriver, file: string): Promise<SqliteConnection> {
  const writer = await open(driver, file)
  try {
    // What an earlier process left in the log may have to be taken over first.
    await execute(writer, 'PRAGMA busy_timeout = 10000; PRAGMA journal_mode = WAL')
    await execute(writer, `${connectionPragmas} PRAGMA synchronous = NORMAL`)
    await execute(writer, 'PRAGMA temp_store = MEMORY')
    return writer
  } catch (cause) {
    await closed(writer)
    const reason = errorText(cause)
    throw new Error(`${file} in DATA_DIR cannot be used as a database: ${reason}`, { cause })
  }
}

/** Locks a file beside the database. @returns a function that releases it */
function claimFile(file: string): () => void {
  let unlock: (() => void) | undefined
  try {
    unlock = lockFile(`${file}.lock`)
  } catch (cause) {
    const reason = errorText(cause)
    throw new Error(`${file}.lock in DATA_DIR cannot be locked: ${reason}`, { cause })
  }
  if (unlock) return unlock
  throw new Error(`Another process is serving ${file}`)
}

/** One lock, however often the file is claimed through the same service. */
function claimsOf(lock: () => () => void): {
  add: () => Promise<() => Promise<void>>
  end: () => void
} {
  let unlock: (() => void) | undefined
  let count = 0
  const end = () => {
    unlock?.()
    unlock = undefined
    count = 0
  }
  const add = async () => {
    unlock ??= lock()
    count += 1
    return async () => {
      count -= 1
      if (count === 0) end()
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
