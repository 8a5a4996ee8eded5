import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { errorType } from '../contract/errors.ts'
import type { EventBus } from '../contract/events.ts'
import type { ClusterBus } from '../contract/services.ts'
import type { Adapter } from '../contract/adapter.ts'
import type { Plugin } from '../contract/plugin.ts'
import type { Contributions } from './contributions.ts'
import { discover, load, type Found, type PluginSource } from './discover.ts'
import { buildGeneration, type Generation, type GenerationDeps } from './generations.ts'

const TOPIC = 'plugin.changed'

const pluginUnknown = errorType<{ id: string }>('plugins.unknown', 404, {
  en: 'There is no plugin "{id}"',
  zh: '没有插件“{id}”',
})
const pluginFailed = errorType<{ id: string; reason: string }>('plugins.not_loadable', 409, {
  en: 'Plugin "{id}" could not be loaded: {reason}',
  zh: '插件“{id}”无法加载：{reason}',
})
const pluginNeeded = errorType<{ id: string; by: string }>('plugins.needed', 409, {
  en: 'Plugin "{id}" is needed by {by}; switch that off first',
  zh: '插件“{id}”被 {by} 依赖，请先停用后者',
})

const pluginEssential = errorType<{ id: string }>('plugins.essential', 409, {
  en: 'Plugin "{id}" cannot be switched off: without it the super admin could not sign in',
  zh: '插件“{id}”不能停用：停用后超级管理员将无法登录',
})

export interface PluginRow {
  id: string
  name: string
  version: string
  source: PluginSource
  kind: 'plugin' | 'adapter' | 'unknown'
  enabled: boolean
  /** It cannot be switched off. */
  is_essential: boolean
  state: 'on' | 'off' | 'failed'
  error: string
  requires: readonly string[]
  options: string[]
}

/** The table `plugins`. */
export interface PluginTable {
  read(): Promise<{ id: string; enabled: boolean }[]>
  write(row: { id: string; enabled: boolean; source: PluginSource }): Promise<void>
}

export interface PluginHostDeps extends GenerationDeps {
  root: string
  version: string
  pluginDirs: readonly string[]
  offAtFirstStart: readonly string[]
  table: PluginTable
  cluster: ClusterBus
  events: EventBus
  /** Told at the start of the plugins that come with the gateway, on or off. */
  reserveOptions(plugins: readonly Plugin[]): void
  /** Called after each swap but the first: adapters may have come or gone. */
  afterSwap(): Promise<void>
}

/** Holds the current generation and swaps it when a plugin is switched on or off, here or on another node. */
export class PluginHost {
  readonly #deps: PluginHostDeps
  #found: Found[] = []
  #enabled = new Map<string, boolean>()
  /** Built-in plugins that are on whatever the table says: an earlier version may have let them be switched off. */
  #essential: ReadonlySet<string> = new Set()
  /** What was loaded once, so that a plugin that is off keeps its name. */
  readonly #known = new Map<string, Adapter | Plugin>()
  #current: Generation | undefined
  /** The plugins that the current generation was built from, those that failed included. */
  #serving = ''
  #isServing = true
  readonly #retiring = new Set<Promise<void>>()
  #queue: Promise<unknown> = Promise.resolve()
  #unsubscribe: (() => void) | undefined

  constructor(deps: PluginHostDeps) {
    this.#deps = deps
  }

  get current(): Generation {
    if (!this.#current) throw new Error('the plugin host has not been started')
    return this.#current
  }

  /** Those of the current generation; undefined before the start. */
  get contributions(): Contributions | undefined {
    return this.#current?.contributions
  }

  /** `isServing: false` loads the plugins and starts nothing of theirs that runs by itself. */
  async start({ isServing = true } = {}): Promise<void> {
    this.#isServing = isServing
    this.#found = await discover(this.#deps.root, this.#deps.pluginDirs)
    const own = await ownPlugins(this.#found)
    this.#essential = new Set(own.filter(({ isEssential }) => isEssential).map(({ id }) => id))
    this.#deps.reserveOptions(own)
    const { cluster } = this.#deps
    this.#unsubscribe = cluster.subscribe(
      TOPIC,
      (payload) => (payload['node'] === cluster.nodeId ? undefined : this.reload()),
      () => this.#follow(),
    )
    await this.#serially(async () => {
      await this.#readStates()
      const wanted = this.#wanted()
      this.#swap(await buildGeneration(wanted, this.#deps), wanted)
    })
  }

  handle(request: IncomingMessage, response: ServerResponse): void {
    this.current.handle(request, response)
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    this.current.upgrade(request, socket, head)
  }

  /** Switches a plugin on or off; resolves when the new generation serves. It is stored when that one is ready and before it serves, so that
   *  the table says what every node has.
   *  @throws plugins.unknown, plugins.not_loadable, plugins.needed, what the database throws; the old generation then stays */
  async setEnabled(id: string, enabled: boolean): Promise<PluginRow> {
    return this.#serially(async () => {
      const found = this.#found.find((candidate) => candidate.id === id)
      if (!found) throw pluginUnknown({ id: id.slice(0, 80) })
      if (!enabled) this.#checkMaySwitchOff(id)
      const before = this.#enabled.get(id)
      let isStored = false
      this.#enabled.set(id, enabled)
      try {
        await this.#replace(enabled ? id : undefined, async () => {
          await this.#store(found, enabled)
          isStored = true
        })
      } catch (error) {
        if (isStored) throw error
        if (before === undefined) this.#enabled.delete(id)
        else this.#enabled.set(id, before)
        throw error
      }
      this.#deps.events.emit('plugin.changed', { id, enabled })
      await this.#deps.cluster.publish(TOPIC, { node: this.#deps.cluster.nodeId, id })
      return this.#row(found)
    })
  }

  /** Builds and swaps anew from the plugins table. */
  async reload(): Promise<void> {
    await this.#serially(async () => {
      await this.#readStates()
      await this.#replace(undefined)
    })
  }

  /** Builds anew only when the table asks for other plugins than those that serve: a gap in the bus alone is no reason to swap. */
  async #follow(): Promise<void> {
    await this.#serially(async () => {
      await this.#readStates()
      if (idsOf(this.#wanted()) !== this.#serving) await this.#replace(undefined)
    })
  }

  /** Names are in `language`. */
  list(language: 'en' | 'zh' = 'en'): PluginRow[] {
    return this.#found.map((found) => this.#row(found, language))
  }

  manifest(id: string): { found: Found; manifest: Adapter | Plugin | undefined } | undefined {
    const found = this.#found.find((candidate) => candidate.id === id)
    return found && { found, manifest: this.current.loaded.get(id) }
  }

  /** Waits for the requests of all generations. */
  async close(): Promise<void> {
    this.#unsubscribe?.()
    await this.#queue
    if (this.#current) this.#retire(this.#current)
    await Promise.all(this.#retiring)
  }

  /** `store` makes the change lasting; when it fails, nothing has changed. */
  async #replace(required: string | undefined, store?: () => Promise<void>): Promise<void> {
    const startedAt = performance.now()
    const wanted = this.#wanted()
    let next: Generation
    try {
      next = await buildGeneration(wanted, this.#deps)
    } catch (error) {
      this.#restoreOptions()
      throw error
    }
    const reason = required === undefined ? undefined : next.blamed.get(required)
    if (reason !== undefined) {
      await next.retire()
      this.#restoreOptions()
      throw pluginFailed({ id: required ?? '', reason })
    }
    try {
      await store?.()
    } catch (error) {
      await next.retire()
      this.#restoreOptions()
      throw error
    }
    this.#swap(next, wanted)
    await this.#deps.afterSwap()
    this.#deps.log.info(
      { generation: next.number, ms: Math.round(performance.now() - startedAt) },
      'generation swapped',
    )
  }

  #restoreOptions(): void {
    if (this.#current) this.#deps.defineOptions(this.#current.contributions)
  }

  #swap(next: Generation, wanted: readonly Found[]): void {
    const previous = this.#current
    this.#current = next
    this.#serving = idsOf(wanted)
    for (const [id, manifest] of next.loaded) this.#known.set(id, manifest)
    if (this.#isServing) next.contributions.activate()
    if (previous) this.#retire(previous)
  }

  #retire(generation: Generation): void {
    const done = generation
      .retire()
      .catch((error: unknown) =>
        this.#deps.log.error(
          { err: error, generation: generation.number },
          'a generation did not close cleanly',
        ),
      )
      .finally(() => this.#retiring.delete(done))
    this.#retiring.add(done)
  }

  #wanted(): Found[] {
    return this.#found.filter((found) => this.#isEnabled(found.id))
  }

  #isEnabled(id: string): boolean {
    if (this.#essential.has(id)) return true
    return this.#enabled.get(id) ?? !this.#deps.offAtFirstStart.includes(id)
  }

  #checkMaySwitchOff(id: string): void {
    if (this.#essential.has(id)) throw pluginEssential({ id })
    const by = this.current.contributions.plugins
      .filter((plugin) => plugin.requires?.includes(id))
      .map((plugin) => plugin.id)
    if (by.length > 0) throw pluginNeeded({ id, by: by.join(', ') })
  }

  async #readStates(): Promise<void> {
    const rows = await this.#deps.table.read()
    this.#enabled = new Map(rows.map((row) => [row.id, row.enabled]))
  }

  #store({ id, source }: Found, enabled: boolean): Promise<void> {
    return this.#deps.table.write({ id, enabled, source })
  }

  #row(found: Found, language: 'en' | 'zh' = 'en'): PluginRow {
    const manifest = this.#known.get(found.id)
    const error = this.#isEnabled(found.id) ? (this.current.blamed.get(found.id) ?? '') : ''
    const plugin = manifest?.kind === 'plugin' ? manifest : undefined
    return {
      id: found.id,
      name: manifest ? nameOf(manifest, language) : found.id,
      version: plugin?.version ?? this.#deps.version,
      source: found.source,
      kind: manifest?.kind ?? kindOf(found),
      enabled: this.#isEnabled(found.id),
      is_essential: this.#essential.has(found.id),
      state: !this.#isEnabled(found.id) ? 'off' : error ? 'failed' : 'on',
      error,
      requires: plugin?.requires ?? [],
      options: Object.keys(plugin?.options?.schema.properties ?? {}),
    }
  }

  #serially<T>(work: () => Promise<T>): Promise<T> {
    const run = this.#queue.then(work, work)
    this.#queue = run.catch(() => undefined)
    return run
  }
}

function idsOf(found: readonly Found[]): string {
  return found.map(({ id }) => id).join()
}

/** The manifests of what comes with the gateway, also of what is off: only these may call themselves essential, for an external plugin can
 *  always be switched off. */
async function ownPlugins(found: readonly Found[]): Promise<Plugin[]> {
  const own = found.filter((entry) => entry.source === 'built-in' && kindOf(entry) === 'plugin')
  const outcomes = await Promise.all(own.map(load))
  return outcomes.flatMap((outcome) =>
    'manifest' in outcome && outcome.manifest.kind === 'plugin' ? [outcome.manifest] : [],
  )
}

/** What is known of a plugin that was off at the start, so that nothing of it is loaded. */
function kindOf({ folder, source }: Found): PluginRow['kind'] {
  if (folder.includes('adapters')) return 'adapter'
  return source === 'built-in' ? 'plugin' : 'unknown'
}

function nameOf(manifest: Adapter | Plugin, language: 'en' | 'zh'): string {
  if (manifest.kind === 'plugin') return manifest.summary?.[language] ?? manifest.id
  const [first] = Object.values(manifest.channelTypes)
  return typeof first === 'string' ? first : (first?.name ?? manifest.id)
}
