// What is reported of plugins: rows for the console, states for other nodes, manifests for routes.
import type { Adapter } from '../../contract/adapter.ts'
import type { Plugin } from '../../contract/plugin.ts'
import type { PluginRow } from '../../contract/plugin-row.ts'
import { type Found, isExternal } from '../discover.ts'
import type { Generation } from '../generations.ts'
import type { Measures } from '../guards/measures.ts'
import type { Blame } from '../plugin-fault.ts'
import type { FoundPlugins } from './found-plugins.ts'
import type { HeldPlugins } from './held-plugins.ts'
import type { PluginRecords } from './plugin-records.ts'
import { type NodeStates, type OwnState, ownStateOf, type RowFacts, rowOf } from './plugin-rows.ts'
import type { WantedPlugins } from './wanted-plugins.ts'

interface Parts {
  found: FoundPlugins
  wanted: WantedPlugins
  records: PluginRecords
  held: HeldPlugins
  serving: { readonly generation: Generation | undefined }
  measures: Measures
  nodes: NodeStates
  /** The gateway's. */
  version: string
}

export interface KnownPlugin {
  found: Found
  manifest: Adapter | Plugin | undefined
}

export class PluginList {
  readonly #parts: Parts
  /** Manifests that were loaded once, by folder, so that a plugin that is off keeps its name. */
  readonly #known = new Map<string, Adapter | Plugin>()
  /** Why a version was not taken, by its folder. */
  readonly refused = new Map<string, Blame>()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** What a generation was built from. */
  note(generation: Generation, built: readonly Found[]): void {
    for (const { id, folder } of built) {
      const manifest = generation.loaded.get(id)
      if (manifest) this.#known.set(folder, manifest)
    }
  }

  rows(language: 'en' | 'zh'): PluginRow[] {
    return this.#parts.found.all.map((found) => this.row(found, language))
  }

  row(found: Found, language: 'en' | 'zh' = 'en'): PluginRow {
    return rowOf(this.#factsOf(found), language)
  }

  /** What other nodes are told of. */
  states(): OwnState[] {
    return this.#parts.found.all.filter(isExternal).map((found) => ownStateOf(this.#factsOf(found)))
  }

  /** The manifest of a known plugin; with a version, the one loaded earlier: open pages may still ask for its files. */
  manifest(id: string, version?: string): KnownPlugin | undefined {
    const { found: plugins, wanted, serving } = this.#parts
    const manifest = serving.generation?.loaded.get(id)
    const current = plugins.find(id)
    if (!current) return undefined
    const found = wanted.inForce(current)
    if (version === undefined || version === found.version) return { found, manifest }
    const other = plugins.versionsOf(id).find((one) => one.version === version)
    return other && manifest && { found: other, manifest: this.#known.get(other.folder) }
  }

  #factsOf(chosen: Found): RowFacts {
    const { found: plugins, wanted, records, held, serving, measures, nodes, version } = this.#parts
    const found = wanted.inForce(chosen)
    const { id } = found
    const isEnabled = wanted.isEnabled(id)
    const ofGeneration = isEnabled ? serving.generation?.blamed.get(id) : undefined
    return {
      found,
      manifest: this.#known.get(found.folder),
      isEnabled,
      isEssential: wanted.essential.has(id),
      isLoaded: isEnabled && wanted.isLoaded(id),
      isParked: wanted.isParked(found),
      isHeldBySafeMode: isEnabled && wanted.isUnsafe(found),
      blame: found.blame ?? held.blameOf(id) ?? records.causeOf(id) ?? ofGeneration,
      hostVersion: version,
      hooks: measures.figures(id),
      versions: plugins.versionsOf(id),
      refused: this.refused,
      nodes: nodes.of(id),
    }
  }
}
