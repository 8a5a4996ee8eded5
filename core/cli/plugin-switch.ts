// `tollgate plugin list|enable|disable|unpark`: by the table alone, so that a gateway that a plugin keeps from starting is brought back.
import { pluginTable } from '../app/kernel-tables.ts'
import { createClusterBus } from '../cluster/bus.ts'
import { type Database, openDatabase } from '../data/database.ts'
import { migrate } from '../data/migrate.ts'
import { discover, type Found, load } from '../kernel/discover.ts'
import { sentenceOf } from '../kernel/plugin-fault.ts'
import { PluginRecords, type StoredPlugin } from '../kernel/host/plugin-records.ts'
import { stateOf } from '../kernel/host/plugin-rows.ts'
import { registerResolveHook } from '../kernel/resolve-hook.ts'
import { readSettings, root } from '../main.ts'
import { createLog } from '../observability/log.ts'

type Print = (line: string) => void

const log = () => createLog('error')

export async function openNamed(): Promise<Database> {
  const settings = readSettings()
  return openDatabase({
    url: settings.databaseUrl || undefined,
    dataDir: settings.dataDir,
    log: log(),
  })
}

/** As they are: nothing is brought up to date for it. */
export async function storedPlugins(): Promise<StoredPlugin[]> {
  const database = await openNamed()
  try {
    return await pluginTable(database).read()
  } finally {
    await database.close()
  }
}

/** @returns the exit code */
export async function listPlugins(print: Print): Promise<number> {
  const { pluginDirs, offAtFirstStart } = readSettings()
  const found = await discover(root, pluginDirs)
  const records = await withTable(recordsOf)
  for (const { id, source, folder, blame } of found) {
    const isBuiltIn = source === 'built-in'
    const cause = blame ?? records.causeOf(id)
    const state = stateOf({
      isEnabled: records.isEnabled(id) ?? (isBuiltIn && !offAtFirstStart.includes(id)),
      isLoaded: false,
      isParked: !isBuiltIn && records.isParked(id),
      isHeldBySafeMode: false,
      blame: cause,
    })
    const words = [id, state, isBuiltIn ? source : folder, cause ? sentenceOf(cause, 'en') : '']
    print(words.join('\t').trimEnd())
  }
  return 0
}

/** @returns the exit code */
export async function switchPlugin(
  action: 'enable' | 'disable' | 'unpark',
  [id, ...rest]: readonly string[],
  print: Print,
): Promise<number> {
  if (id === undefined || rest.length > 0) {
    print(`Usage: tollgate plugin ${action} ID`)
    return 2
  }
  const found = (await discover(root, readSettings().pluginDirs)).find((one) => one.id === id)
  const refusal = found ? await refusalOf(found, action) : `There is no plugin "${id}".`
  if (!found || refusal) {
    print(refusal)
    return 1
  }
  await withTable(async (database) => {
    const records = await recordsOf(database)
    if (action === 'unpark') await records.forgive(id)
    else await records.write(found, action === 'enable')
    await tellGateways(database, id)
  })
  const done = { enable: 'on', disable: 'off', unpark: 'not parked any more' }[action]
  print(`Plugin "${id}" is ${done}. A gateway on SQLite that is running follows at its next start.`)
  return 0
}

/** Only what comes with the gateway is loaded to be asked. */
async function refusalOf(found: Found, action: string): Promise<string> {
  const { id, blame, source } = found
  if (blame) return `Plugin "${id}" cannot be switched: ${sentenceOf(blame, 'en')}`
  if (action !== 'disable' || source !== 'built-in') return ''
  registerResolveHook(root)
  const outcome = await load(found)
  const manifest = 'manifest' in outcome ? outcome.manifest : undefined
  return manifest?.kind === 'plugin' && manifest.isEssential
    ? `Plugin "${id}" cannot be switched off: without it the super admin could not sign in.`
    : ''
}

async function recordsOf(database: Database): Promise<PluginRecords> {
  const records = new PluginRecords(pluginTable(database), log())
  await records.read()
  return records
}

async function tellGateways(database: Database, id: string): Promise<void> {
  if (database.dialect !== 'postgres') return
  const redisUrl = readSettings().redisUrl || undefined
  const bus = await createClusterBus({ database, redisUrl, log: log() })
  try {
    await bus.publish('plugin.changed', { node: bus.nodeId, id })
  } finally {
    await bus.close()
  }
}

async function withTable<T>(work: (database: Database) => Promise<T>): Promise<T> {
  const database = await openNamed()
  try {
    await migrate(database, log())
    return await work(database)
  } finally {
    await database.close()
  }
}
