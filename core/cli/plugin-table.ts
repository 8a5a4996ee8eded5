// Gives commands access to the table and folders of plugins without a gateway. A gateway that runs beside them is
// notified of changes.
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pluginTable } from '../app/kernel-tables.ts'
import { redisOf } from '../app/redis-of.ts'
import { createClusterBus } from '../cluster/bus.ts'
import { type Database, openDatabase } from '../data/database.ts'
import { isMigrated, migrate, requireCurrent } from '../data/migrate.ts'
import { sqliteFileName } from '../data/sqlite/database.ts'
import { installedFolder } from '../installs/plugin-store.ts'
import { signalChange } from '../installs/watch-store.ts'
import { FoundPlugins } from '../kernel/host/found-plugins.ts'
import { PluginRecords } from '../kernel/host/plugin-records.ts'
import { root } from '../app/root.ts'
import { readSettings } from '../app/configuration.ts'
import { createLog } from '../observability/log.ts'
import { openSecrets } from '../secrets/check-master-key.ts'

export type Print = (line: string) => void

const log = () => createLog('error')

/** Opens the database that the environment names, and creates it if there is none. */
export async function openNamed(): Promise<Database> {
  const settings = readSettings()
  return openDatabase({
    url: settings.databaseUrl || undefined,
    dataDir: settings.dataDir,
    log: log(),
  })
}

/** Opens a database that must exist. In a shell without the gateway's variables, a command would otherwise create an
 *  empty database elsewhere and report that it is in order.
 *  @throws Error with a sentence for the operator */
export async function openExisting(): Promise<Database> {
  const database = await openIfThere()
  if (database) return database
  const { databaseUrl, dataDir } = readSettings()
  const place = databaseUrl === '' ? `DATA_DIR ${resolve(dataDir)}` : 'DATABASE_URL'
  throw new Error(
    `there is no gateway's database in ${place}: set DATA_DIR or DATABASE_URL as the gateway has it, or make a new one by "tollgate migrate"`,
  )
}

/** Opens the database.
 *  @returns undefined if there is none, because no gateway has run yet */
export async function openIfThere(): Promise<Database | undefined> {
  const { databaseUrl, dataDir } = readSettings()
  if (databaseUrl === '' && !existsSync(join(dataDir, sqliteFileName))) return undefined
  const database = await openNamed()
  if (await isMigrated(database)) return database
  await database.close()
  return undefined
}

/** Opens a database for a command that only reads and needs the tables of this version.
 *  @throws Error with a sentence for the operator */
export async function openCurrent(): Promise<Database> {
  const database = await openExisting()
  try {
    await requireCurrent(database)
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}

/** For commands that assemble a gateway, which would create a missing database.
 *  @throws Error with a sentence for the operator */
export async function requireDatabase(): Promise<void> {
  await (await openExisting()).close()
}

/** Runs the migrations as a start does, after checking the master key.
 *  @returns the ids of the migrations that were due
 *  @throws Error with a sentence for the operator */
export async function bringUpToDate(database: Database): Promise<string[]> {
  const { secretKey, dataDir } = readSettings()
  await openSecrets(database, { secretKey, dataDir: resolve(dataDir) })
  return migrate(database, log())
}

/** What a command reads and changes. */
export interface PluginShelf {
  database: Database
  records: PluginRecords
  found: FoundPlugins
}

export async function withPlugins<T>(work: (shelf: PluginShelf) => Promise<T>): Promise<T> {
  const database = await openExisting()
  try {
    await bringUpToDate(database)
    return await work({ database, ...(await readPlugins(database)) })
  } finally {
    await database.close()
  }
}

/** Reads the plugins without migrating the database first. */
export async function readPlugins(database: Database): Promise<Omit<PluginShelf, 'database'>> {
  const records = new PluginRecords(pluginTable(database), log())
  await records.read()
  const { pluginDirs, dataDir } = readSettings()
  const found = new FoundPlugins(
    { root, pluginDirs, installedDir: installedFolder(dataDir), isSafe: true },
    records,
  )
  await found.read()
  return { records, found }
}

/** Running gateways follow at once. */
export async function notifyGateways({ database }: PluginShelf, id: string): Promise<void> {
  const settings = readSettings()
  signalChange(installedFolder(settings.dataDir))
  if (database.dialect !== 'postgres') return
  const redis = await redisOf(settings, database)
  const bus = await createClusterBus({ database, redis, log: log() })
  try {
    await bus.publish('plugin.changed', { node: bus.nodeId, id })
  } finally {
    await bus.close()
  }
}
