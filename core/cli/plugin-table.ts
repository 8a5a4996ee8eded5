// The table and the folders of plugins without a gateway, for commands; a gateway beside them is told.
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pluginTable } from '../app/kernel-tables.ts'
import { redisOf } from '../app/redis-of.ts'
import { createClusterBus } from '../cluster/bus.ts'
import { type Database, openDatabase } from '../data/database.ts'
import { isMigrated, migrate, requireCurrent } from '../data/migrate.ts'
import { sqliteFileName } from '../data/sqlite-database.ts'
import { installedFolder } from '../installs/plugin-store.ts'
import { tellStore } from '../installs/watch-store.ts'
import { FoundPlugins } from '../kernel/host/found-plugins.ts'
import { PluginRecords } from '../kernel/host/plugin-records.ts'
import { readSettings, root } from '../main.ts'
import { createLog } from '../observability/log.ts'
import { refuseWrongKey } from '../secrets/check-master-key.ts'
import { loadMasterKey } from '../secrets/master-key.ts'
import { createSecrets } from '../secrets/secrets.ts'

export type Print = (line: string) => void

const log = () => createLog('error')

/** The database that the environment names, made where there is none. */
export async function openNamed(): Promise<Database> {
  const settings = readSettings()
  return openDatabase({
    url: settings.databaseUrl || undefined,
    dataDir: settings.dataDir,
    log: log(),
  })
}

/** The same for a command that is about what is there. In a shell without the variables of the gateway it would make an empty database
 *  elsewhere, and say of that that all is well.
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

/** Undefined where no gateway has been. */
export async function openIfThere(): Promise<Database | undefined> {
  const { databaseUrl, dataDir } = readSettings()
  if (databaseUrl === '' && !existsSync(join(dataDir, sqliteFileName))) return undefined
  const database = await openNamed()
  if (await isMigrated(database)) return database
  await database.close()
  return undefined
}

/** For a command that only reads, in the tables of this version.
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

/** For commands that assemble a gateway, which would make what is not there.
 *  @throws Error with a sentence for the operator */
export async function requireDatabase(): Promise<void> {
  await (await openExisting()).close()
}

/** As a start does it: with the wrong key nothing of the database is touched.
 *  @returns the ids of the migrations that were due
 *  @throws Error with a sentence for the operator */
export async function bringUpToDate(database: Database): Promise<string[]> {
  const { secretKey, dataDir } = readSettings()
  const secrets = createSecrets(await loadMasterKey({ secretKey, dataDir: resolve(dataDir) }))
  await refuseWrongKey({ database, secrets }, { secretKey, dataDir })
  return migrate(database, log())
}

/** What a command looks at and changes. */
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

/** As they are: nothing is brought up to date for it. */
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

/** Gateways that run follow at once. */
export async function tellGateways({ database }: PluginShelf, id: string): Promise<void> {
  const settings = readSettings()
  tellStore(installedFolder(settings.dataDir))
  if (database.dialect !== 'postgres') return
  const redis = await redisOf(settings, database)
  const bus = await createClusterBus({ database, redis, log: log() })
  try {
    await bus.publish('plugin.changed', { node: bus.nodeId, id })
  } finally {
    await bus.close()
  }
}
