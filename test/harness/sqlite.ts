// A SQLite database in a file, for one test.
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Database, type DatabaseSettings, openDatabase } from '../../core/data/database.ts'
import { migrate } from '../../core/data/migrate.ts'
import { sqliteFileName } from '../../core/data/sqlite/database.ts'
import { quietLog } from './quiet-log.ts'

export interface TestDatabase {
  /** The opened database with all migrations. */
  database: Database
  /** Settings to open it once more, as another node or after a restart. */
  settings: DatabaseSettings
  close: () => Promise<void>
}

type Driver = 'sqlite3' | 'node:sqlite'

export async function createSqlite(driver?: Driver): Promise<TestDatabase> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tollgate-test-'))
  await layMigratedFile(dataDir, driver)
  const settings = { dataDir, log: quietLog, sqliteDriver: driver }
  const database = await openMigrated(settings)
  return {
    database,
    settings,
    close: async () => {
      await database.close()
      if (existsSync(dataDir)) await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Files by the driver that ran the migrations. */
const migratedFiles = new Map<Driver | undefined, Promise<Buffer>>()

/** The file of a database with all migrations and no data. In each process the migrations run once for each driver,
 *  instead of once for each of hundreds of databases. */
export async function layMigratedFile(dataDir: string, driver?: Driver): Promise<void> {
  const known = migratedFiles.get(driver) ?? makeMigratedFile(driver)
  migratedFiles.set(driver, known)
  await writeFile(join(dataDir, sqliteFileName), await known, { mode: 0o600 })
}

async function makeMigratedFile(sqliteDriver: Driver | undefined): Promise<Buffer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tollgate-test-'))
  try {
    const database = await openMigrated({ dataDir, log: quietLog, sqliteDriver })
    // Moves all of the write-ahead log into the file. Closing would do so too, but a transaction's own connection may still be
    // at it when close() has resolved.
    await database.select('PRAGMA wal_checkpoint(TRUNCATE)')
    await database.close()
    return await readFile(join(dataDir, sqliteFileName))
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

export async function openMigrated(settings: DatabaseSettings): Promise<Database> {
  const database = await openDatabase(settings)
  await migrate(database, settings.log)
  return database
}
