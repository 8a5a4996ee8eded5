// Installing and uninstalling plugins, with the services of a gateway.
import { inspect } from '../installs/inspect.ts'
import { Installer } from '../installs/installer.ts'
import { PluginStore } from '../installs/plugin-store.ts'
import { Uninstaller } from '../installs/uninstaller.ts'
import { watchStore } from '../installs/watch-store.ts'
import { pluginUnknown } from '../kernel/host/plugin-refusals.ts'
import type { PluginHost } from '../kernel/host/plugin-host.ts'
import type { HostInput } from './host.ts'

export interface PluginInstalls {
  installer: Installer
  uninstaller: Uninstaller
  /** Removes what an ended process has left unfinished, then listens for commands. Returns a function that stops it. */
  follow(onChange: () => void): () => void
}

export function createInstalls(
  { settings, services, root, log }: HostInput,
  host: () => PluginHost,
): PluginInstalls {
  const store = new PluginStore(settings.dataDir)
  const { database, options } = services
  const loadTimeoutMs = settings.pluginLoadMs
  const find = (id: string) => findPlugin(host(), id)
  const limitMs = loadTimeoutMs
  const optionsOf = async (id: string) => {
    const plugin = find(id)
    const read = await declared(plugin, { root, limitMs })
    return ownOptions(id, read, host(), (key) => options.ownerOf(key))
  }
  return {
    follow: (onChange) => {
      void store.sweep()
      return watchStore(store.folder, onChange, log)
    },
    installer: new Installer({
      store,
      root,
      loadTimeoutMs,
      environment: settings.foreignVariables(),
      isTaken: (id) => {
        const source = host().manifest(id)?.found.source
        return source !== undefined && source !== 'package'
      },
    }),
    uninstaller: new Uninstaller({
      store,
      database,
      find,
      optionsOf,
      forget: async (id) => {
        await host().forget(id)
        await options.readAnew('')
      },
    }),
  }
}

type FoundPlugin = ReturnType<typeof findPlugin>

/** @throws plugins.unknown */
function findPlugin(host: PluginHost, id: string) {
  const found = host.manifest(id)?.found
  const row = host.list().find((one) => one.id === id)
  if (!found || !row) throw pluginUnknown({ id: id.slice(0, 80) })
  return { found, versions: host.versionsOf(id), isEnabled: row.enabled, row }
}

/** The options that any version of the plugin declares. */
async function declared(
  { found, versions, row }: FoundPlugin,
  { root, limitMs }: { root: string; limitMs: number },
): Promise<string[]> {
  const { folder, entry, source } = found
  const isUnread = source === 'folder' && row.kind === 'unknown'
  const read = isUnread ? (await inspect({ root, folder, entry, limitMs })).options : row.options
  return [...read, ...optionsOfVersions(versions)]
}

/** The options among `keys` that no other plugin claims. */
function ownOptions(
  id: string,
  keys: readonly string[],
  host: PluginHost,
  ownerOf: (key: string) => string | undefined,
): string[] {
  const others = host.list().filter((row) => row.id !== id)
  const claimed = new Set(
    others.flatMap((row) => [...row.options, ...optionsOfVersions(host.versionsOf(row.id))]),
  )
  return [...new Set(keys)].filter((key) => {
    const owner = ownerOf(key)
    return owner === undefined ? !claimed.has(key) : owner === id
  })
}

function optionsOfVersions(versions: FoundPlugin['versions']): string[] {
  return versions.flatMap(({ facts }) => facts?.options ?? [])
}
