// A database of its own in a file, for one test.
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Database, type DatabaseSettings, openDatabase } from '../../core/data/database.ts'
import { migrate } from '../../core/data/migrate.ts'
import { quietLog } from './quiet-log.ts'

export interface TestDatabase {
  /** Open and migrated. */
  database: Database
  /** For opening it once more, as another node or after a restart. */
  settings: DatabaseSettings
  close: () => Promise<void>
}

export async function createSqlite(driver?: 'sqlite3' | 'node:sqlite'): Promise<TestDatabase> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tollgate-test-'))
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

export async function openMigrated(settings: DatabaseSettings): Promise<Database> {
  const database = await openDatabase(settings)
  await migrate(database, settings.log)
  return database
}
