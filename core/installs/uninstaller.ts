// Uninstalls a plugin that is switched off: on request its data in the database, then its versions.
import type { DatabaseService } from '../contract/services.ts'
import type { Found } from '../kernel/discover.ts'
import { pluginVersionUnknown } from '../kernel/host/plugin-refusals.ts'
import { notRemovable, stillOn, versionInUse } from './install-errors.ts'
import { dropOptions, dropTables } from './leftovers-sql.ts'
import type { PluginStore } from './plugin-store.ts'

export interface UninstallWish {
  tables: 'keep' | 'drop'
  options: 'keep' | 'drop'
}

export interface Uninstalled {
  /** Names of the tables that were dropped. */
  tables: string[]
  options: string[]
  /** A folder of PLUGIN_DIRS, which the operator has to delete. */
  folder: string
}

export interface UninstallerDeps {
  store: PluginStore
  database: DatabaseService
  /** The plugin and its installed versions. @throws plugins.unknown */
  find(id: string): { found: Found; versions: readonly Found[]; isEnabled: boolean }
  /** Keys of options that belong to this plugin only. */
  optionsOf(id: string): Promise<readonly string[]>
  /** Removes the plugin's row. */
  forget(id: string): Promise<void>
}

export class Uninstaller {
  readonly #deps: UninstallerDeps

  constructor(deps: UninstallerDeps) {
    this.#deps = deps
  }

  /** @throws plugins.unknown, plugins.not_removable, plugins.still_on, plugins.install_running */
  async uninstall(id: string, wish: UninstallWish): Promise<Uninstalled> {
    const { store, database, optionsOf, forget } = this.#deps
    return store.exclusively(async () => {
      this.#removable(id)
      const options = wish.options === 'drop' ? [...(await optionsOf(id))] : []
      // Reading the options may start a process, and the plugin may have been switched on in the meantime.
      const { found, versions } = this.#removable(id)
      const tables = wish.tables === 'drop' ? await dropTables(database, id) : []
      await dropOptions(database, options)
      for (const { version } of versions) await store.remove(id, version ?? '')
      await forget(id)
      return { tables, options, folder: found.source === 'folder' ? found.folder : '' }
    })
  }

  /** @throws plugins.unknown, plugins.unknown_version, plugins.version_used, plugins.install_running */
  async removeVersion(id: string, version: string): Promise<void> {
    const { store, find } = this.#deps
    await store.exclusively(async () => {
      const { found, versions } = find(id)
      if (found.source !== 'package') throw notRemovable({ id })
      if (found.version === version) throw versionInUse({ id, version })
      if (!versions.some((one) => one.version === version))
        throw pluginVersionUnknown({ id, version: version.slice(0, 80) })
      await store.remove(id, version)
    })
  }

  #removable(id: string) {
    const plugin = this.#deps.find(id)
    if (plugin.found.source === 'built-in') throw notRemovable({ id })
    if (plugin.isEnabled) throw stillOn({ id })
    return plugin
  }
}
