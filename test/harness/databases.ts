// Gives tests each database that the product runs on: both SQLite drivers, and PostgreSQL on one server per test run.
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { type Database, type DatabaseSettings, openDatabase } from '../../core/data/database.ts'
import { migrate } from '../../core/data/migrate.ts'
import { postgresBinaries, sharedPostgresUrl } from './postgres.ts'
import { quietLog } from './quiet-log.ts'

export { quietLog }

export interface TestDatabase {
  /** Open and migrated. */
  database: Database
  /** For opening it once more, as another node or after a restart. */
  settings: DatabaseSettings
  close: () => Promise<void>
}

export interface DatabaseKind {
  name: 'sqlite3' | 'node:sqlite' | 'PostgreSQL'
  create: () => Promise<TestDatabase>
}

const sqliteKinds: DatabaseKind[] = (['sqlite3', 'node:sqlite'] as const).map((driver) => ({
  name: driver,
  create: () => createSqlite(driver),
}))

/** For `describe.each(databaseKinds)`. Leaves PostgreSQL out, loudly, where it is not installed; with CI=true that fails. */
export const databaseKinds: readonly DatabaseKind[] = [...sqliteKinds, ...postgresKinds()]

function postgresKinds(): DatabaseKind[] {
  if (process.env.TEST_PG_URL !== undefined || postgresBinaries() !== undefined) {
    return [{ name: 'PostgreSQL', create: createPostgres }]
  }
  const message = 'PostgreSQL is not installed: its tests DO NOT RUN (apt-get install postgresql)'
  if (process.env.CI === 'true') throw new Error(message)
  console.warn(message)
  return []
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

export async function createPostgres(): Promise<TestDatabase> {
  const server = process.env.TEST_PG_URL ?? (await sharedPostgresUrl())
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await query(server, `CREATE DATABASE ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  const settings = { url: url.href, dataDir: tmpdir(), log: quietLog }
  const database = await openMigrated(settings)
  return {
    database,
    settings,
    close: async () => {
      await database.close()
      await query(server, `DROP DATABASE ${name} WITH (FORCE)`)
    },
  }
}

async function openMigrated(settings: DatabaseSettings): Promise<Database> {
  const database = await openDatabase(settings)
  await migrate(database, settings.log)
  return database
}

async function query(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
