// Which plugins exist on this node, and which version of each is used.
import {
  discover,
  findInstalled,
  type Found,
  isExternal,
  isFolder,
  nameChecked,
} from '../discover.ts'
import type { PluginRecords } from './plugin-records.ts'
import { pluginVersionUnknown } from './plugin-refusals.ts'

interface Places {
  root: string
  pluginDirs: readonly string[]
  /** Where the gateway installs plugins: `<id>@<version>`. */
  installedDir: string
  /** Ignores missing folders of PLUGIN_DIRS: nothing external may prevent a start with --safe, or a command that repairs. */
  isSafe?: boolean
}

export class FoundPlugins {
  readonly #places: Places
  readonly #records: PluginRecords
  /** Plugins that come with the gateway, and those in PLUGIN_DIRS. */
  #fixed: readonly Found[] = []
  #installed: ReadonlyMap<string, readonly Found[]> = new Map()
  #all: readonly Found[] = []

  constructor(places: Places, records: PluginRecords) {
    this.#places = places
    this.#records = records
  }

  /** Reads the folders. @throws plugins.folder_missing if one of PLUGIN_DIRS does not exist */
  async read(): Promise<void> {
    const { root, pluginDirs, installedDir, isSafe = false } = this.#places
    this.#fixed = await discover(root, isSafe ? pluginDirs.filter(isFolder) : pluginDirs)
    this.#installed = await findInstalled(installedDir)
    this.choose()
  }

  /** Selects the version that the table names, otherwise the newest. Call it after the table was read. */
  choose(): void {
    const current = [...this.#installed].map(([id, versions]) => this.#current(id, versions))
    const all = [...this.#fixed, ...current.filter((found) => found !== undefined)]
    const ids = new Set(all.map(({ id }) => id))
    for (const [id, version] of this.#records.versions())
      if (!ids.has(id)) all.push(missing(id, version))
    const taken = new Map<string, Found>()
    this.#all = all.map((found) => nameChecked(found, taken))
  }

  get all(): readonly Found[] {
    return this.#all
  }

  find(id: string): Found | undefined {
    return this.#all.find((one) => one.id === id)
  }

  /** Whether it came with the gateway. */
  isOwn(id: string): boolean {
    return this.#all.some((one) => one.id === id && !isExternal(one))
  }

  /** Installed ones, the newest first. */
  versionsOf(id: string): readonly Found[] {
    return this.#installed.get(id) ?? []
  }

  /** @throws plugins.unknown_version */
  version({ id, source }: Found, version: string): Found {
    const found = this.versionsOf(id).find((one) => one.version === version)
    if (source === 'package' && found) return found
    throw pluginVersionUnknown({ id, version: version.slice(0, 80) })
  }

  #current(id: string, versions: readonly Found[]): Found | undefined {
    const wanted = this.#records.versionOf(id)
    if (wanted === '') return versions[0]
    return versions.find(({ version }) => version === wanted) ?? missing(id, wanted)
  }
}

/** The table names this version, but it does not exist here. */
function missing(id: string, version: string): Found {
  const blame = { stage: 'missing', detail: version } as const
  return { id, source: 'package', folder: '', entry: '', version, blame }
}
