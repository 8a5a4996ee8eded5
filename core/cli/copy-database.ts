// `tollgate database copy`: moves a gateway from SQLite to PostgreSQL.
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { takeDataDir } from '../app/data-dir.ts'
import { type CopyProgress, copyToPostgres } from '../data/copy-to-postgres-sql.ts'
import { type Database, openDatabase } from '../data/database.ts'
import { migrate, migratePlugin, requireCurrent, stepsIn } from '../data/migrate.ts'
import { sqliteFileName } from '../data/sqlite/database.ts'
import { readSettings } from '../app/configuration.ts'
import { createLog } from '../observability/log.ts'
import { ledgerVerify } from './ledger-verify.ts'
import { whileOpen } from './open-database.ts'
import { loadPlugins, trusted } from './plugins/load-plugins.ts'
import { readPlugins } from './plugins/plugin-shelf.ts'
import type { Print } from './print.ts'

/** Interval of progress lines for a large table. */
const PRINT_EVERY_MS = 5_000

const log = createLog('error')

/** Copies the SQLite file of DATA_DIR into the empty PostgreSQL of DATABASE_URL; the gateway is then started with the
 *  same variables. The file is not changed.
 *  @returns the exit code: 0 if the ledger of the copy is in order
 *  @throws Error with a sentence for the operator */
export async function copyDatabase(print: Print): Promise<number> {
  const { databaseUrl, dataDir } = readSettings()
  const file = join(resolve(dataDir), sqliteFileName)
  if (databaseUrl === '') {
    throw new Error('set DATABASE_URL to an empty PostgreSQL; DATA_DIR is the folder to copy from')
  }
  if (!existsSync(file))
    throw new Error(`there is no gateway's database in DATA_DIR ${resolve(dataDir)}`)
  const folder = takeDataDir(dataDir)
  try {
    return await whileOpen(
      await openDatabase({ url: databaseUrl, dataDir, log }),
      async (target) => {
        await makeTables(dataDir, target)
        const left = await copyToPostgres(file, target, progressPrinter(print))
        for (const { table, rows } of left) {
          print(`${table}: left behind with ${rows} rows, its plugin is off or not there`)
        }
        const code = await ledgerVerify({ database: target, print })
        print(
          'Start the gateway with this DATABASE_URL, the same DATA_DIR and the same SECRET_KEY.',
        )
        return code
      },
    )
  } finally {
    folder.release()
  }
}

/** Creates the tables of core, and those of plugins that have tables in the file. */
async function makeTables(dataDir: string, target: Database): Promise<void> {
  await whileOpen(await openDatabase({ dataDir, log }), async (source) => {
    await requireCurrent(source)
    await migrate(target, log)
    const steps = new Set(await stepsIn(source))
    for (const plugin of await loadPlugins(trusted(await readPlugins(source)))) {
      if (!plugin.migrations?.some(({ id }) => steps.has(id))) continue
      await migratePlugin(source, plugin, log)
      await migratePlugin(target, plugin, log)
    }
  })
}

/** Prints a line for each table, and one every few seconds for a large one. */
function progressPrinter(print: Print): (progress: CopyProgress) => void {
  let printedAt = Date.now()
  return ({ table, done, total }) => {
    if (done < total && Date.now() - printedAt < PRINT_EVERY_MS) return
    printedAt = Date.now()
    print(done < total ? `${table}: ${done} of ${total} rows` : `${table}: ${total} rows`)
  }
}
