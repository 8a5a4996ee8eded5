// Gives commands access to the table and folders of plugins without a gateway. A gateway that runs beside them is
// notified of changes.
import { pluginTable } from '../../app/kernel-tables.ts'
import { readSettings } from '../../app/configuration.ts'
import { redisOf } from '../../app/redis-of.ts'
import { root } from '../../app/root.ts'
import { createClusterBus } from '../../cluster/bus.ts'
import type { Database } from '../../data/database.ts'
import { installedFolder } from '../../installs/plugin-store.ts'
import { signalChange } from '../../installs/watch-store.ts'
import { FoundPlugins } from '../../kernel/host/found-plugins.ts'
import { PluginRecords } from '../../kernel/host/plugin-records.ts'
import { createLog } from '../../observability/log.ts'
import { bringUpToDate, openExisting, whileOpen } from '../open-database.ts'

const log = () => createLog('error')

/** What a command reads and changes. */
export interface PluginShelf {
  database: Database
  records: PluginRecords
  found: FoundPlugins
}

export async function withPlugins<T>(work: (shelf: PluginShelf) => Promise<T>): Promise<T> {
  return whileOpen(await openExisting(), async (database) => {
    await bringUpToDate(database)
    return work({ database, ...(await readPlugins(database)) })
  })
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
