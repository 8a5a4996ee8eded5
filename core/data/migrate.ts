import { readdir } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Transaction } from 'sequelize'
import type { UmzugStorage } from 'umzug'
import type { Logger } from '../contract/services.ts'
import type { Migration, MigrationDatabase, Plugin } from '../contract/plugin.ts'
import { tablePrefixOf } from '../kernel/manifest/asks.ts'
import { servingNodes } from './postgres/node-lock-sql.ts'
import { unboundTransaction, unboundUpgrade } from './postgres/bounded-session-sql.ts'
import type { Database } from './database.ts'
import { changeIndexes, changeLateIndexes, type IndexChange } from './late-indexes.ts'
import { MigrationProgress } from './migration-progress.ts'
import { refuseForeignWrites } from './refuse-foreign-writes.ts'
import { TransactionTimeout } from './transaction-timeout.ts'

/** What a migration of core gets: `run` executes one statement in the transaction of the whole upgrade. */
export interface MigrationContext {
  run: (sql: string) => Promise<void>
  dialect: 'sqlite' | 'postgres'
}

interface MigrationModule {
  up(context: MigrationContext): Promise<void>
  /** Processes of earlier versions cannot go on with what it leaves: the changelog asks to stop all of them, and it does not begin while one serves. */
  needsStop?: true
  /** Indexes of tables that may be large. */
  indexes?: readonly IndexChange[]
}

/** An arbitrary number; all nodes lock it while they migrate. */
const advisoryLock = 7_365_001

/** The longest step of a plugin, and the longest pause in it. */
const pluginStepMs = 60_000
const pluginPauseMs = 10_000
/** The longest pause in the transaction around a step; the step itself has stricter limits. */
const longPauseMs = 2 * pluginStepMs

const folder = new URL('./migrations/', import.meta.url)

/** Migrates the schema. All pending steps are one transaction, which begins with a lock: SQLite's BEGIN IMMEDIATE,
 *  PostgreSQL's advisory lock. If a step fails, the schema stays as it was.
 *  @returns the names of the steps that ran
 *  @throws Error for the operator if a newer version has migrated the database: this one does not know what its steps
 *  mean */
export async function migrate(database: Database, log: Logger): Promise<string[]> {
  const names = await stepNames()
  // Most starts have nothing to migrate, and then load neither the steps nor the code that runs them.
  const recorded = await recordedSteps(database)
  refuseNewer(database, recorded, names)
  if (names.every((name) => recorded.includes(name))) return []
  const { Umzug } = await import('umzug')
  const modules = await loadSteps()
  const progress = new MigrationProgress(log, {
    count: names.filter((name) => !recorded.includes(name)).length,
    isUpgrade: recorded.length > 0,
  })
  const upgrade = database.transaction(async (transaction) => {
    if (database.dialect === 'postgres')
      await database.select(unboundUpgrade, undefined, transaction)
    await lock(database, transaction)
    await refuseServed(database, modules, transaction)
    const umzug = new Umzug<MigrationContext>({
      migrations: modules.map(({ name, module }) => ({
        name,
        up: async ({ context }) => {
          progress.begin(name)
          await module.up(context)
          await changeIndexes(database, module.indexes ?? [], transaction)
        },
      })),
      context: {
        run: async (sql) => {
          await database.run(sql, undefined, transaction)
        },
        dialect: database.dialect,
      },
      storage: storedSteps(database, names, transaction),
      logger: undefined,
    })
    return (await umzug.up()).map(({ name }) => name)
  }, longPauseMs)
  const done = await upgrade
    .catch((error: unknown) => {
      if (recorded.length === 0) refuseForeign(database, error)
      throw error
    })
    .finally(() => progress.end())
  if (done.length > 0) log.info({ steps: done }, 'schema updated')
  return done
}

/** Whoever serves while a step is due is of an earlier version. On SQLite nobody does: the file has one process.
 *  @throws Error for the operator */
async function refuseServed(
  database: Database,
  modules: readonly { name: string; module: MigrationModule }[],
  transaction: Transaction,
): Promise<void> {
  if (database.dialect === 'sqlite') return
  const recorded = await stepsIn(database, transaction)
  const isDue = modules.some(({ name, module }) => module.needsStop && !recorded.includes(name))
  if (recorded.length === 0 || !isDue) return
  const { length } = await database.select(servingNodes, undefined, transaction)
  if (length === 0) return
  throw new Error(
    `${length === 1 ? 'one process of an earlier version still serves' : `${length} processes of an earlier version still serve`} the database of DATABASE_URL and would fail with its new tables: stop all of them, then start this version`,
  )
}

/** False for a database that no gateway has used. @throws other errors of the database */
export function isMigrated(database: Database): Promise<boolean> {
  return hasTable(database, 'schema_steps')
}

export async function hasTable(
  database: Pick<Database, 'dialect' | 'select'>,
  table: string,
): Promise<boolean> {
  const sql =
    database.dialect === 'postgres'
      ? 'SELECT 1 AS found WHERE to_regclass(:table) IS NOT NULL'
      : 'SELECT 1 AS found FROM sqlite_schema WHERE name = :table'
  return (await database.select(sql, { table })).length > 0
}

/** Whether `migrate` has nothing to do. */
export async function isCurrent(database: Database): Promise<boolean> {
  const recorded = await recordedSteps(database)
  return (await stepNames()).every((name) => recorded.includes(name))
}

/** For code that only reads a database which a gateway has used.
 *  @throws Error for the operator if a step is missing or unknown */
export async function requireCurrent(database: Database): Promise<void> {
  const names = await stepNames()
  const recorded = await stepsIn(database)
  refuseNewer(database, recorded, names)
  if (names.every((name) => recorded.includes(name))) return
  const place = placeOf(database.dialect)
  throw new Error(
    `the database of ${place} is that of an earlier version: bring it up to date first, by "tollgate migrate"`,
  )
}

/** Changes the indexes of large PostgreSQL tables while the gateway runs; of several steps about one index, the last counts. */
export async function changeIndexesLater(
  database: Database,
  tools: Parameters<typeof changeLateIndexes>[2],
): Promise<void> {
  const modules = await loadSteps()
  const changes = modules.flatMap(({ module }) => module.indexes ?? [])
  await changeLateIndexes(database, changes, tools)
}

/** Runs the pending migrations of a plugin, each in one transaction with its record. After a failure the earlier steps
 *  stay recorded, and the next attempt continues with the one that failed.
 *  @param pauseMs the longest time without a statement: a step that waits for something else blocks every writer of
 *  SQLite */
export async function migratePlugin(
  database: Database,
  { id: plugin, migrations = [] }: Pick<Plugin, 'id' | 'migrations'>,
  log: Logger,
  pauseMs = pluginPauseMs,
): Promise<string[]> {
  const done: string[] = []
  try {
    for (const step of await pendingOf(database, migrations)) {
      const work = (transaction: Transaction) =>
        runStep(database, { plugin, step, pauseMs }, transaction)
      if (await database.transaction(work, longPauseMs)) done.push(step.id)
    }
  } finally {
    if (done.length > 0) log.info({ plugin, steps: done }, 'plugin tables updated')
  }
  return done
}

/** The steps that no node has recorded, read without a lock, since most loads have none. */
async function pendingOf(
  database: Database,
  migrations: readonly Migration[],
): Promise<readonly Migration[]> {
  if (migrations.length === 0) return []
  const rows = await database.select<{ name: string }>('SELECT name FROM schema_steps')
  const known = new Set(rows.map(({ name }) => name))
  return migrations.filter(({ id }) => !known.has(id))
}

interface PluginStep {
  plugin: string
  step: Migration
  pauseMs: number
}

/** False if another node was faster. */
async function runStep(
  database: Database,
  { plugin, step: { id, up }, pauseMs }: PluginStep,
  transaction: Transaction,
): Promise<boolean> {
  await limitStatements(database, transaction)
  await lock(database, transaction)
  const sql = 'SELECT name FROM schema_steps WHERE name = :id'
  if ((await database.select(sql, { id }, transaction)).length > 0) return false
  const timeout = new TransactionTimeout(`migration ${id}`, { pauseMs, totalMs: pluginStepMs })
  await timeout.run(() => up(ownTables(plugin, database, transaction, timeout)))
  await database.run('INSERT INTO schema_steps (name) VALUES (:id)', { id }, transaction)
  return true
}

/** A statement that waits or runs for too long would prevent the transaction from being rolled back. */
async function limitStatements(database: Database, transaction: Transaction): Promise<void> {
  if (database.dialect !== 'postgres') return
  await database.run(`SET LOCAL statement_timeout = ${pluginStepMs}`, undefined, transaction)
  await database.run(`SET LOCAL lock_timeout = ${pluginPauseMs}`, undefined, transaction)
}

/** Keeps a plugin's steps from other tables. It prevents mistakes only: the plugin's code could do anything. */
function ownTables(
  plugin: string,
  database: Database,
  transaction: Transaction,
  timeout: TransactionTimeout,
): MigrationDatabase {
  const prefix = tablePrefixOf(plugin)
  return {
    dialect: database.dialect,
    prefix,
    run: async (sql, values) => {
      refuseForeignWrites(sql, prefix)
      return timeout.statement(() => database.run(sql, values, transaction))
    },
    select: (sql, values) => {
      refuseForeignWrites(sql, prefix)
      return timeout.statement(() => database.select(sql, values, transaction))
    },
  }
}

async function lock(database: Database, transaction: Transaction): Promise<void> {
  if (database.dialect === 'postgres') {
    await database.select(
      'SELECT pg_advisory_xact_lock(:advisoryLock)',
      { advisoryLock },
      transaction,
    )
    await database.run(unboundTransaction, undefined, transaction)
  }
  const table = 'CREATE TABLE IF NOT EXISTS schema_steps (name TEXT PRIMARY KEY)'
  await database.run(table, undefined, transaction)
}

/** Read without a lock. */
async function recordedSteps(database: Database): Promise<string[]> {
  try {
    return await stepsIn(database)
  } catch {
    // An empty database has no such table; any other error will be reported by the steps.
    return []
  }
}

export async function stepsIn(database: Database, transaction?: Transaction): Promise<string[]> {
  const sql = 'SELECT name FROM schema_steps ORDER BY name'
  const rows = await database.select<{ name: string }>(sql, undefined, transaction)
  return rows.map(({ name }) => name)
}

/** Names of core's steps begin with a number; in those of plugins the number follows the plugin's id. */
function refuseNewer(
  { dialect }: Database,
  recorded: readonly string[],
  names: readonly string[],
): void {
  const isOfCore = (name: string) => /^\d{4}-/.test(name) && !/-\d{4}-/.test(name)
  const unknown = recorded.filter((name) => isOfCore(name) && !names.includes(name))
  if (unknown.length === 0) return
  throw new Error(
    `the database of ${placeOf(dialect)} was brought up to date by a newer version (${unknown.join(', ')}): start that version, or restore the backup from before its first start`,
  )
}

/** A database that no gateway has used may belong to another program. */
function refuseForeign({ dialect }: Database, error: unknown): void {
  const cause = error instanceof Error ? error.cause : undefined
  if (!(cause instanceof Error) || !cause.message.endsWith(' already exists')) return
  throw new Error(
    `the database of ${placeOf(dialect)} holds tables of something else (${cause.message}): name an empty one`,
    { cause: error },
  )
}

const placeOf = (dialect: Database['dialect']) =>
  dialect === 'postgres' ? 'DATABASE_URL' : 'DATA_DIR'

async function stepNames(): Promise<string[]> {
  return (await stepPaths()).map(nameOf)
}

/** In the order in which they run. Those of a released version are in its folder. */
async function stepPaths(): Promise<string[]> {
  const files = await readdir(folder, { recursive: true })
  const steps = files.filter((file) => /^\d{4}-[\w-]+\.ts$/.test(basename(file)))
  return steps.sort((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1))
}

function nameOf(path: string): string {
  return basename(path, '.ts')
}

async function loadSteps(): Promise<{ name: string; module: MigrationModule }[]> {
  const paths = await stepPaths()
  return Promise.all(
    paths.map(async (path) => ({
      name: nameOf(path),
      module: (await import(new URL(path, folder).href)) as MigrationModule,
    })),
  )
}

function storedSteps(
  database: Database,
  names: readonly string[],
  transaction: Transaction,
): UmzugStorage<MigrationContext> {
  return {
    logMigration: async ({ name }) => {
      await database.run('INSERT INTO schema_steps (name) VALUES (:name)', { name }, transaction)
    },
    unlogMigration: ({ name }) => Promise.reject(new Error(`${name} cannot be undone`)),
    executed: async () => {
      const recorded = await stepsIn(database, transaction)
      // Another node may have migrated before this one got the lock.
      refuseNewer(database, recorded, names)
      return recorded
    },
  }
}
