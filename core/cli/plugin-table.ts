// The table and the folders of plugins without a gateway, for commands; a gateway beside them is told.
import { pluginTable } from '../app/kernel-tables.ts'
import { createClusterBus } from '../cluster/bus.ts'
import { type Database, openDatabase } from '../data/database.ts'
import { migrate } from '../data/migrate.ts'
import { installedFolder } from '../installs/plugin-store.ts'
import { tellStore } from '../installs/watch-store.ts'
import { FoundPlugins } from '../kernel/host/found-plugins.ts'
import { PluginRecords } from '../kernel/host/plugin-records.ts'
import { readSettings, root } from '../main.ts'
import { createLog } from '../observability/log.ts'

export type Print = (line: string) => void

const log = () => createLog('error')

export async function openNamed(): Promise<Database> {
  const settings = readSettings()
  return openDatabase({
    url: settings.databaseUrl || undefined,
    dataDir: settings.dataDir,
    log: log(),
  })
}

/** What a command looks at and changes. */
export interface PluginShelf {
  database: Database
  records: PluginRecords
  found: FoundPlugins
}

export async function withPlugins<T>(work: (shelf: PluginShelf) => Promise<T>): Promise<T> {
  const database = await openNamed()
  try {
    await migrate(database, log())
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
  const redisUrl = settings.redisUrl || undefined
  const bus = await createClusterBus({ database, redisUrl, log: log() })
  try {
    await bus.publish('plugin.changed', { node: bus.nodeId, id })
  } finally {
    await bus.close()
  }
}
