// Opens the database of the gateway for commands that run beside it or without it.
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { readSettings } from '../app/configuration.ts'
import { takeDataDir } from '../app/data-dir.ts'
import type { Logger } from '../contract/services.ts'
import { type Database, openDatabase } from '../data/database.ts'
import { isCurrent, isMigrated, migrate, requireCurrent } from '../data/migrate.ts'
import { sqliteFileName } from '../data/sqlite/database.ts'
import { createLog } from '../observability/log.ts'
import { openSecrets } from '../secrets/check-master-key.ts'

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

/** Closes the database once the work is done, or has failed. */
export async function whileOpen<T>(
  database: Database,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  try {
    return await work(database)
  } finally {
    await database.close()
  }
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
 *  @throws Error with a sentence for the operator, also while an earlier version serves the SQLite file: it does not know the tables that it would go on with */
export async function bringUpToDate(database: Database, told: Logger = log()): Promise<string[]> {
  const { secretKey, dataDir } = readSettings()
  await openSecrets(database, { secretKey, dataDir: resolve(dataDir) })
  if (database.dialect === 'postgres' || (await isCurrent(database))) return migrate(database, told)
  const folder = takeDataDir(dataDir)
  try {
    return await migrate(database, told)
  } finally {
    folder.release()
  }
}
