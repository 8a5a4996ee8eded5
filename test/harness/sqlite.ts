// A database of its own in a file, for one test.
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Database, type DatabaseSettings, openDatabase } from '../../core/data/database.ts'
import { migrate } from '../../core/data/migrate.ts'
import { sqliteFileName } from '../../core/data/sqlite-database.ts'
import { quietLog } from './quiet-log.ts'

export interface TestDatabase {
  /** Open and migrated. */
  database: Database
  /** For opening it once more, as another node or after a restart. */
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

/** By the driver that ran the steps. */
const migratedFiles = new Map<Driver | undefined, Promise<Buffer>>()

/**
 * The file of a database in which no gateway has been, with every step done: in a process the steps run from nothing once for each driver,
 * and not for each of hundreds of databases. There is nothing in it but what steps write.
 */
export async function layMigratedFile(dataDir: string, driver?: Driver): Promise<void> {
  const known = migratedFiles.get(driver) ?? makeMigratedFile(driver)
  migratedFiles.set(driver, known)
  await writeFile(join(dataDir, sqliteFileName), await known, { mode: 0o600 })
}

async function makeMigratedFile(sqliteDriver: Driver | undefined): Promise<Buffer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tollgate-test-'))
  try {
    const database = await openMigrated({ dataDir, log: quietLog, sqliteDriver })
    // Takes what is in the log of the file back into it.
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
