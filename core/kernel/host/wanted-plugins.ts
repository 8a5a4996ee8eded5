// Which plugins are to be loaded, by the table, the folders and earlier failures; and which changes may be requested.
import type { Contributions } from '../contributions.ts'
import { type Found, isExternal } from '../discover.ts'
import type { FoundPlugins } from './found-plugins.ts'
import type { Generation } from '../generations.ts'
import { type AskList, asksOf } from '../manifest/asks.ts'
import type { HeldPlugins } from './held-plugins.ts'
import type { PluginRecords } from './plugin-records.ts'
import {
  pluginEssential,
  pluginFailed,
  pluginNeeded,
  pluginParked,
  pluginUnknown,
  pluginUnsafe,
} from './plugin-refusals.ts'

/** What somebody asks for. */
export interface Change {
  id: string
  enabled: boolean
  /** Another version than the one that counts. */
  version?: Found
  /** What he has seen and confirmed. */
  asks?: AskList
  /** Its files are read again. */
  isAnew?: boolean
}

interface Parts {
  found: FoundPlugins
  records: PluginRecords
  held: HeldPlugins
  serving: { readonly generation: Generation | undefined }
  /** Built-in plugins that are off at the first start; external ones are off until somebody switches them on. */
  offAtFirstStart: readonly string[]
  /** Nothing from outside is loaded. */
  isSafe: boolean
}

export class WantedPlugins {
  readonly #parts: Parts
  /** Built-in plugins that are on whatever the table says: an earlier version may have allowed switching them off. */
  essential: ReadonlySet<string> = new Set()

  /** Versions that keep serving on this node in place of those that the table names but that cannot be loaded. */
  readonly #pins = new Map<string, { over: string; found: Found }>()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** While the table names `over`, the version that served before it stays in use. */
  pin(over: Found, found: Found): void {
    this.#pins.set(over.id, { over: over.folder, found })
  }

  unpin(id: string): void {
    this.#pins.delete(id)
  }

  /** If a version was chosen on another node and is missing here, the version that serves here stays until it arrives. */
  pinMissing(built: readonly Found[]): void {
    for (const over of this.#parts.found.all) {
      if (over.blame?.stage !== 'missing') continue
      const before = this.before(over, built)
      if (before) this.pin(over, before)
    }
  }

  /** Another version that serves, as long as it is installed. */
  before({ id, folder }: Found, built: readonly Found[]): Found | undefined {
    const before = built.find((found) => found.id === id && this.isLoaded(id))
    const isThere = this.#parts.found.versionsOf(id).some((one) => one.folder === before?.folder)
    return isThere && before?.folder !== folder ? before : undefined
  }

  inForce(found: Found): Found {
    const pin = this.#pins.get(found.id)
    return pin?.over === found.folder ? pin.found : found
  }

  /** What a plugin may ask for, as somebody has confirmed it. What goes on serving in place of the table's version was confirmed for itself, and that
   *  other one may ask for less. */
  confirmedOf(id: string): AskList {
    const { found: plugins, records, serving } = this.#parts
    const found = plugins.find(id)
    const isPinned = found !== undefined && this.inForce(found) !== found
    const manifest = isPinned ? serving.generation?.loaded.get(id) : undefined
    const confirmed = records.confirmedOf(id)
    return manifest ? [...confirmed, ...asksOf(manifest)] : confirmed
  }

  /** With a change that is not stored yet. */
  list(change?: Change): Found[] {
    const { found: plugins, held } = this.#parts
    return plugins.all
      .map((found) => (found.id === change?.id ? (change.version ?? found) : this.inForce(found)))
      .filter((found) => {
        const { id, blame } = found
        if (blame !== undefined || this.isUnsafe(found)) return false
        if (id === change?.id) return change.enabled || this.essential.has(id)
        if (!this.isEnabled(id)) return false
        // A plugin that runs here keeps running, even if it failed on other nodes.
        return this.isLoaded(id) || !(held.blameOf(id) || this.isParked(found))
      })
  }

  /** In the order in which they take names and addresses: of two from outside that want the same one, the one that serves keeps it, and at a start
   *  the one that has not failed. */
  inTurn(wanted: readonly Found[]): Found[] {
    const turnOf = (found: Found) => {
      if (!isExternal(found)) return 0
      if (this.isLoaded(found.id)) return 1
      return this.#parts.records.hasFailed(found.id) ? 3 : 2
    }
    return wanted.toSorted((one, other) => turnOf(one) - turnOf(other))
  }

  isEnabled(id: string): boolean {
    if (this.essential.has(id)) return true
    const { found, records, offAtFirstStart } = this.#parts
    return records.isEnabled(id) ?? (found.isOwn(id) && !offAtFirstStart.includes(id))
  }

  isLoaded(id: string): boolean {
    return this.#parts.serving.generation?.loaded.has(id) === true
  }

  isParked(found: Found): boolean {
    return isExternal(found) && this.#parts.records.isParked(found.id)
  }

  isUnsafe(found: Found): boolean {
    return this.#parts.isSafe && isExternal(found)
  }

  /** @throws plugins.unknown */
  find(id: string): Found {
    const found = this.#parts.found.find(id)
    if (!found) throw pluginUnknown({ id: id.slice(0, 80) })
    return found
  }

  /** @throws plugins.unknown, plugins.not_loadable, plugins.needed, plugins.parked, plugins.safe_mode, plugins.essential */
  check({ id, enabled, version }: Change): Found {
    const found = version ?? this.find(id)
    if (!enabled) this.#checkMaySwitchOff(id)
    else if (found.blame) throw pluginFailed(id, found.blame)
    else if (this.isUnsafe(found)) throw pluginUnsafe({ id })
    else if (!version && this.isParked(found) && !this.isLoaded(id)) throw pluginParked({ id })
    return found
  }

  #checkMaySwitchOff(id: string): void {
    if (this.essential.has(id)) throw pluginEssential({ id })
    const by = plugins(this.#parts.serving.generation?.contributions)
      .filter((plugin) => plugin.requires?.includes(id))
      .map((plugin) => plugin.id)
    if (by.length > 0) throw pluginNeeded({ id, by: by.join(', ') })
  }
}

function plugins(contributions: Contributions | undefined) {
  return contributions?.plugins ?? []
}

/** Another version is another plugin here. */
export function idsOf(found: readonly Found[]): string {
  return found.map(({ id, folder }) => `${id} ${folder}`).join()
}
