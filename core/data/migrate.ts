import { readdir } from 'node:fs/promises'
import type { Transaction } from 'sequelize'
import { Umzug, type UmzugStorage } from 'umzug'
import type { Logger } from '../contract/services.ts'
import type { Migration } from '../contract/plugin.ts'
import type { Database } from './database.ts'

/** What a migration of core gets: `run` executes one statement inside the transaction of the whole upgrade. */
export interface MigrationContext {
  run: (sql: string) => Promise<void>
  dialect: 'sqlite' | 'postgres'
}

interface MigrationModule {
  up(context: MigrationContext): Promise<void>
}

/** An arbitrary number of ours that all nodes lock while they migrate. */
const advisoryLock = 7_365_001

const folder = new URL('./migrations/', import.meta.url)

/**
 * Brings the schema up to date. All pending steps are one transaction, whose beginning is the lock: SQLite's BEGIN
 * IMMEDIATE, PostgreSQL's advisory lock. A step that fails leaves the schema as it was.
 * @returns the names of the steps that ran
 */
export async function migrate(database: Database, log: Logger): Promise<string[]> {
  const modules = await loadSteps()
  return database.transaction(async (transaction) => {
    await lock(database, transaction)
    const umzug = new Umzug<MigrationContext>({
      migrations: modules.map(({ name, module }) => ({
        name,
        up: ({ context }) => module.up(context),
      })),
      context: {
        run: async (sql) => {
          await database.run(sql, undefined, transaction)
        },
        dialect: database.dialect,
      },
      storage: storedSteps(database, transaction),
      logger: undefined,
    })
    const done = (await umzug.up()).map(({ name }) => name)
    if (done.length > 0) log.info({ steps: done }, 'schema updated')
    return done
  })
}

/** Runs the pending migrations of plugins, each recorded under its id. */
export async function migratePlugins(
  database: Database,
  migrations: readonly Migration[],
  log: Logger,
): Promise<string[]> {
  if (migrations.length === 0) return []
  if (database.dialect === 'sqlite') return runPluginSteps(database, migrations, log)
  // The steps use connections of their own; this transaction only holds the lock meanwhile.
  return database.sequelize.transaction(async (transaction) => {
    await lock(database, transaction)
    return runPluginSteps(database, migrations, log)
  })
}

async function runPluginSteps(
  database: Database,
  migrations: readonly Migration[],
  log: Logger,
): Promise<string[]> {
  const rows = await database.select<{ name: string }>('SELECT name FROM schema_steps')
  const known = new Set(rows.map(({ name }) => name))
  const done: string[] = []
  for (const migration of migrations) {
    const { id } = migration
    if (known.has(id)) continue
    await migration.up(database)
    await database.run('INSERT INTO schema_steps (name) VALUES (:id)', { id })
    done.push(id)
  }
  if (done.length > 0) log.info({ steps: done }, 'plugin tables updated')
  return done
}

async function lock(database: Database, transaction: Transaction): Promise<void> {
  if (database.dialect === 'postgres') {
    await database.select(
      'SELECT pg_advisory_xact_lock(:advisoryLock)',
      { advisoryLock },
      transaction,
    )
  }
  const table = 'CREATE TABLE IF NOT EXISTS schema_steps (name TEXT PRIMARY KEY)'
  await database.run(table, undefined, transaction)
}

async function loadSteps(): Promise<{ name: string; module: MigrationModule }[]> {
  const files = (await readdir(folder)).filter((file) => /^\d{4}-[\w-]+\.ts$/.test(file)).sort()
  return Promise.all(
    files.map(async (file) => ({
      name: file.replace(/\.ts$/, ''),
      module: (await import(new URL(file, folder).href)) as MigrationModule,
    })),
  )
}

function storedSteps(database: Database, transaction: Transaction): UmzugStorage<MigrationContext> {
  return {
    logMigration: async ({ name }) => {
      await database.run('INSERT INTO schema_steps (name) VALUES (:name)', { name }, transaction)
    },
    unlogMigration: ({ name }) => Promise.reject(new Error(`${name} cannot be undone`)),
    executed: async () => {
      const sql = 'SELECT name FROM schema_steps ORDER BY name'
      const rows = await database.select<{ name: string }>(sql, undefined, transaction)
      return rows.map(({ name }) => name)
    },
  }
}
