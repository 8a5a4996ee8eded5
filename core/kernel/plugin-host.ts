import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { EventBus } from '../contract/events.ts'
import type { ClusterBus } from '../contract/services.ts'
import type { Adapter } from '../contract/adapter.ts'
import type { Plugin } from '../contract/plugin.ts'
import type { PluginRow } from '../contract/plugin-row.ts'
import type { Contributions } from './contributions.ts'
import { discover, type Found, isExternal } from './discover.ts'
import { buildGeneration, type Generation, type GenerationDeps } from './generations.ts'
import { HeldPlugins } from './held-plugins.ts'
import { type Blame, PluginFault } from './plugin-fault.ts'
import { PluginRecords, type PluginTable } from './plugin-records.ts'
import {
  pluginEssential,
  pluginFailed,
  pluginNeeded,
  pluginParked,
  pluginUnknown,
  pluginUnsafe,
} from './plugin-refusals.ts'
import { ownPlugins } from './own-plugins.ts'
import { rowOf } from './plugin-rows.ts'
import { SharedRun } from './shared-run.ts'

const TOPIC = 'plugin.changed'

export interface PluginHostDeps extends GenerationDeps {
  root: string
  version: string
  pluginDirs: readonly string[]
  /** Built-in ones; what comes from outside is off until somebody switches it on. */
  offAtFirstStart: readonly string[]
  /** Nothing from outside is loaded. */
  isSafe: boolean
  table: PluginTable
  cluster: ClusterBus
  events: EventBus
  /** Told at the start of the plugins that come with the gateway, on or off. */
  reserveOptions(plugins: readonly Plugin[]): void
  /** The options of core and of these contributions are those that can be written and listed. */
  defineOptions(contributions: Contributions): void
  /** Called after each swap but the first: adapters may have come or gone. */
  afterSwap(): Promise<void>
}

interface StartOptions {
  isServing?: boolean
  crashes?: readonly { plugin: string; detail: string }[]
}

/** What somebody asks for. */
interface Change {
  id: string
  enabled: boolean
}

/** A generation that was built before its turn came. */
interface Ahead {
  next: Generation
  ids: string
  /** The generation that served then. */
  over: Generation | undefined
}

/** Holds the current generation and swaps it when a plugin is switched on or off, here or on another node. */
export class PluginHost {
  readonly #deps: PluginHostDeps
  readonly #records: PluginRecords
  #found: Found[] = []
  /** Built-in plugins that are on whatever the table says: an earlier version may have let them be switched off. */
  #essential: ReadonlySet<string> = new Set()
  /** What was loaded once, so that a plugin that is off keeps its name. */
  readonly #known = new Map<string, Adapter | Plugin>()
  readonly #held: HeldPlugins
  #current: Generation | undefined
  /** The plugins that the current generation was built from, those that failed included. */
  #serving = ''
  #isServing = true
  readonly #retiring = new Set<Promise<void>>()
  readonly #building = new Set<Promise<unknown>>()
  #queue: Promise<unknown> = Promise.resolve()
  readonly #reloading = new SharedRun(() => this.#reload())
  #unsubscribe: (() => void) | undefined

  constructor(deps: PluginHostDeps) {
    this.#deps = deps
    this.#records = new PluginRecords(deps.table, deps.log)
    this.#held = new HeldPlugins(this.#records, deps.log)
  }

  get current(): Generation {
    if (!this.#current) throw new Error('the plugin host has not been started')
    return this.#current
  }

  /** Those of the current generation; undefined before the start. */
  get contributions(): Contributions | undefined {
    return this.#current?.contributions
  }

  /** `isServing: false` loads the plugins and starts nothing of theirs that runs by itself. What `crashes` names ended the process before this one. */
  async start({ isServing = true, crashes = [] }: StartOptions = {}): Promise<void> {
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
      await this.#records.read()
      for (const { plugin, detail } of crashes) await this.#blameCrash(plugin, detail)
      const wanted = this.#wanted()
      await this.#swap(await buildGeneration(wanted, this.#deps), wanted)
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
   *  @throws plugins.unknown, plugins.not_loadable, plugins.needed, plugins.parked, what the database throws; the old generation then stays */
  async setEnabled(id: string, enabled: boolean): Promise<PluginRow> {
    const change = { id, enabled }
    const found = this.#checkChange(change)
    let isStored = false
    try {
      // Outside the queue: while one plugin hangs at its start, others are switched.
      const ahead = enabled ? await this.#buildAhead(change) : undefined
      await this.#serially(async () => {
        this.#checkAgain(change, ahead)
        await this.#replace(change, ahead, async () => {
          await this.#records.write(found, enabled)
          isStored = true
        })
      })
    } catch (error) {
      if (!isStored && error instanceof PluginFault && error.plugin === id)
        await this.#refuse(found, error.blame)
      throw error
    }
    this.#deps.events.emit('plugin.changed', { id, enabled })
    await this.#tellOthers(id)
    return this.#row(found)
  }

  /** Forgets what failed, also of hooks, and tries the plugin again where it is on. @throws plugins.unknown, plugins.not_loadable */
  async unpark(id: string): Promise<PluginRow> {
    const found = this.#find(id)
    this.#deps.measures.unpark(id)
    if (!this.#records.hasFailed(id) && !this.#held.blameOf(id)) return this.#row(found)
    const isTried = this.#isEnabled(id)
    await this.#serially(async () => {
      await this.#records.forgive(id)
      await this.#tellOthers(id)
    })
    if (isTried) return this.setEnabled(id, true)
    this.#held.release(id)
    return this.#row(found)
  }

  /** Builds and swaps anew from the plugins table. */
  reload(): Promise<void> {
    return this.#reloading.run()
  }

  async #reload(): Promise<void> {
    await this.#held.readAnew()
    const ahead = await this.#buildAhead()
    await this.#serially(async () => {
      await this.#held.readAnew()
      await this.#replace(undefined, ahead)
    })
  }

  /** Builds anew only when the table asks for other plugins than those that serve: a gap in the bus alone is no reason to swap. */
  async #follow(): Promise<void> {
    await this.#serially(async () => {
      await this.#held.readAnew()
      if (idsOf(this.#wanted()) !== this.#serving) await this.#replace()
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
    await Promise.allSettled(this.#building)
    await this.#queue
    if (this.#current) this.#retire(this.#current)
    await Promise.all(this.#retiring)
  }

  async #blameCrash(id: string, detail: string): Promise<void> {
    const found = this.#found.find((one) => one.id === id && isExternal(one))
    if (found) await this.#held.hold(found, { stage: 'crash', detail }, true)
  }

  #buildAhead(change?: Change): Promise<Ahead> {
    const wanted = this.#wanted(change)
    const over = this.#current
    const building = this.#build(wanted, change).then((next) => ({
      next,
      ids: idsOf(wanted),
      over,
    }))
    this.#building.add(building)
    const forget = () => this.#building.delete(building)
    building.then(forget, forget)
    return building
  }

  #build(wanted: readonly Found[], change: Change | undefined): Promise<Generation> {
    if (!change?.enabled) return buildGeneration(wanted, this.#deps)
    const { id } = change
    const isAnew = this.#held.hasStumbled(id)
    return buildGeneration(wanted, this.#deps, { required: id, isAnew })
  }

  /** `store` makes the change lasting; when it fails, nothing has changed. */
  async #replace(change?: Change, ahead?: Ahead, store?: () => Promise<void>): Promise<void> {
    const startedAt = performance.now()
    const wanted = this.#wanted(change)
    const next = await this.#nextOf(wanted, change, ahead)
    try {
      await store?.()
    } catch (error) {
      this.#retire(next)
      throw error
    }
    await this.#swap(next, wanted)
    await this.#deps.afterSwap()
    this.#deps.log.info(
      { generation: next.number, ms: Math.round(performance.now() - startedAt) },
      'generation swapped',
    )
  }

  /** What was built ahead, unless somebody was quicker with another change. */
  async #nextOf(
    wanted: readonly Found[],
    change: Change | undefined,
    ahead: Ahead | undefined,
  ): Promise<Generation> {
    if (!ahead) return this.#build(wanted, change)
    if (ahead.over === this.#current && ahead.ids === idsOf(wanted)) return ahead.next
    this.#retire(ahead.next)
    return this.#build(wanted, change)
  }

  async #refuse(found: Found, blame: Blame): Promise<never> {
    const { id } = found
    if (isExternal(found) && blame.stage !== 'requires') await this.#held.hold(found, blame, false)
    throw pluginFailed(id, blame)
  }

  async #swap(next: Generation, wanted: readonly Found[]): Promise<void> {
    const previous = this.#current
    this.#current = next
    this.#serving = idsOf(wanted)
    this.#deps.defineOptions(next.contributions)
    for (const [id, manifest] of next.loaded) this.#known.set(id, manifest)
    if (this.#isServing) next.contributions.activate()
    if (previous) this.#retire(previous)
    if (!this.#isServing) return
    for (const found of wanted.filter(isExternal))
      await this.#held.keep(found, next.blamed.get(found.id))
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

  /** What shall be loaded, with a change that is not stored yet. */
  #wanted(change?: Change): Found[] {
    return this.#found.filter((found) => {
      const { id, blame } = found
      if (blame !== undefined || this.#isUnsafe(found)) return false
      if (id === change?.id) return change.enabled || this.#essential.has(id)
      if (!this.#isEnabled(id)) return false
      // One that runs here goes on running, whatever it did on other nodes.
      return this.#isLoaded(id) || !(this.#held.blameOf(id) || this.#isParked(found))
    })
  }

  #isEnabled(id: string): boolean {
    if (this.#essential.has(id)) return true
    const isOwn = this.#found.some((one) => one.id === id && !isExternal(one))
    return this.#records.isEnabled(id) ?? (isOwn && !this.#deps.offAtFirstStart.includes(id))
  }

  #isLoaded(id: string): boolean {
    return this.#current?.loaded.has(id) === true
  }

  #isParked(found: Found): boolean {
    return isExternal(found) && this.#records.isParked(found.id)
  }

  #isUnsafe = (found: Found): boolean => this.#deps.isSafe && isExternal(found)

  #find(id: string): Found {
    const found = this.#found.find((one) => one.id === id)
    if (!found) throw pluginUnknown({ id: id.slice(0, 80) })
    return found
  }

  #checkChange({ id, enabled }: Change): Found {
    const found = this.#find(id)
    if (!enabled) this.#checkMaySwitchOff(id)
    else if (found.blame) throw pluginFailed(id, found.blame)
    else if (this.#isUnsafe(found)) throw pluginUnsafe({ id })
    else if (this.#isParked(found) && !this.#isLoaded(id)) throw pluginParked({ id })
    return found
  }

  #checkAgain(change: Change, ahead: Ahead | undefined): void {
    try {
      this.#checkChange(change)
    } catch (error) {
      if (ahead) this.#retire(ahead.next)
      throw error
    }
  }

  #checkMaySwitchOff(id: string): void {
    if (this.#essential.has(id)) throw pluginEssential({ id })
    const by = this.current.contributions.plugins
      .filter((plugin) => plugin.requires?.includes(id))
      .map((plugin) => plugin.id)
    if (by.length > 0) throw pluginNeeded({ id, by: by.join(', ') })
  }

  #tellOthers(id: string): Promise<void> {
    const { cluster } = this.#deps
    return cluster.publish(TOPIC, { node: cluster.nodeId, id })
  }

  #row(found: Found, language: 'en' | 'zh' = 'en'): PluginRow {
    const { id } = found
    const isEnabled = this.#isEnabled(id)
    const ofGeneration = isEnabled ? this.current.blamed.get(id) : undefined
    return rowOf(
      {
        found,
        manifest: this.#known.get(id),
        isEnabled,
        isEssential: this.#essential.has(id),
        isLoaded: isEnabled && this.#isLoaded(id),
        isParked: this.#isParked(found),
        isHeldBySafeMode: isEnabled && this.#isUnsafe(found),
        blame: found.blame ?? this.#held.blameOf(id) ?? this.#records.causeOf(id) ?? ofGeneration,
        hostVersion: this.#deps.version,
        hooks: this.#deps.measures.figures(id),
      },
      language,
    )
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
