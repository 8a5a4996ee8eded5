import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { PluginAsks, PluginRow } from '../../contract/plugin-row.ts'
import { requirementCycle } from './requirement-cycle.ts'
import { Consents } from './consents.ts'
import type { Contributions } from '../contributions.ts'
import { type Found, isExternal } from '../discover.ts'
import { FoundPlugins } from './found-plugins.ts'
import { type Ahead, GenerationBuilds } from './generation-builds.ts'
import type { Generation } from '../generations.ts'
import { HeldPlugins } from './held-plugins.ts'
import type { PluginHostDeps } from './host-deps.ts'
import { type Blame, isDatabaseAway, isWaiting, PluginFault } from '../plugin-fault.ts'
import { PluginRecords } from './plugin-records.ts'
import { pluginFailed, pluginUnsafe, versionFailed } from './plugin-refusals.ts'
import { ownPlugins } from './own-plugins.ts'
import { type KnownPlugin, PluginList } from './plugin-list.ts'
import type { OwnState } from './plugin-rows.ts'
import { Serving } from './serving.ts'
import { SerialQueue } from '../serial-queue.ts'
import { SharedRun } from '../shared-run.ts'
import { type Change, idsOf, WantedPlugins } from './wanted-plugins.ts'

const TOPIC = 'plugin.changed'
/** Until a database that was away is asked again for what should serve. */
const AGAIN_MS = 2_000

interface StartOptions {
  isServing?: boolean
  crashes?: readonly { plugin: string; detail: string }[]
}

/** Holds the current generation and swaps it when a plugin is switched or changes its version, here or on another node. */
export class PluginHost {
  readonly #deps: PluginHostDeps
  readonly #records: PluginRecords
  readonly #found: FoundPlugins
  readonly #consents: Consents
  readonly #held: HeldPlugins
  readonly #serving: Serving
  readonly #wanted: WantedPlugins
  readonly #list: PluginList
  readonly #builds: GenerationBuilds
  #isServing = true
  readonly #changes = new SerialQueue()
  readonly #reloading = new SharedRun(() => this.#reload().catch((error) => this.#again(error)))
  #againTimer: NodeJS.Timeout | undefined
  readonly #disposers: (() => void)[] = []

  constructor(deps: PluginHostDeps) {
    this.#deps = deps
    this.#records = new PluginRecords(deps.table, deps.log)
    this.#found = new FoundPlugins(deps, this.#records)
    this.#consents = new Consents(this.#records, deps.loadTimeoutMs)
    this.#held = new HeldPlugins(this.#records, deps.log)
    this.#serving = new Serving(deps.log)
    const parts = {
      ...deps,
      found: this.#found,
      records: this.#records,
      held: this.#held,
      serving: this.#serving,
    }
    this.#wanted = new WantedPlugins(parts)
    this.#list = new PluginList({ ...parts, wanted: this.#wanted })
    this.#builds = new GenerationBuilds({
      deps,
      wanted: this.#wanted,
      list: this.#list,
      serving: this.#serving,
    })
  }

  get current(): Generation {
    const { generation } = this.#serving
    if (!generation) throw new Error('the plugin host has not been started')
    return generation
  }

  /** The contributions of the current generation; undefined before the start. */
  get contributions(): Contributions | undefined {
    return this.#serving.generation?.contributions
  }

  /** `isServing: false` loads the plugins without starting their jobs and listeners. The plugins in `crashes` ended the previous process. */
  async start({ isServing = true, crashes = [] }: StartOptions = {}): Promise<void> {
    this.#isServing = isServing
    await this.#found.read()
    const own = await ownPlugins(this.#found.all)
    this.#wanted.essential = new Set(
      own.filter(({ isEssential }) => isEssential).map(({ id }) => id),
    )
    this.#deps.reserveOptions(own)
    this.#listen()
    await this.#changes.run(async () => {
      await this.#records.read()
      this.#found.choose()
      for (const { plugin, detail } of crashes) await this.#blameCrash(plugin, detail)
      const wanted = this.#wanted.list()
      await this.#swap(await this.#builds.build(wanted), wanted)
    })
  }

  #listen(): void {
    const { cluster, nodes, follow, log } = this.#deps
    const stop = cluster.subscribe(
      TOPIC,
      (payload) => (payload['node'] === cluster.nodeId ? undefined : this.reload()),
      () => this.#follow().catch((error) => this.#again(error)),
    )
    this.#disposers.push(
      stop,
      () => nodes.close(),
      () => clearTimeout(this.#againTimer),
    )
    const onChange = () =>
      void this.reload().catch((error: unknown) =>
        log.error({ err: error }, 'what a command has changed could not be followed'),
      )
    if (this.#isServing) this.#disposers.push(follow(onChange))
  }

  handle(request: IncomingMessage, response: ServerResponse): void {
    this.current.handle(request, response)
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    this.current.upgrade(request, socket, head)
  }

  /** Switches a plugin on or off; resolves when the new generation serves. It is stored when that one is ready and before it serves, so that
   *  the table says what every node has.
   *  @param confirm the hash of what a plugin from outside asks for
   *  @throws plugins.unknown, plugins.not_loadable, plugins.needed, plugins.parked, plugins.confirm, what the database throws; the old generation then stays */
  async setEnabled(id: string, enabled: boolean, confirm?: string): Promise<PluginRow> {
    return this.#change({ id, enabled }, confirm)
  }

  /** Switches to another installed version, newer or older; if that fails, the current one keeps serving.
   *  @throws plugins.unknown_version, and as setEnabled */
  async use(id: string, version: string, confirm?: string): Promise<PluginRow> {
    const found = this.#found.version(this.#wanted.find(id), version)
    if (this.#wanted.isEnabled(id))
      return this.#change({ id, enabled: true, version: found }, confirm)
    await this.#changes.run(async () => {
      await this.#records.write(found, false)
      this.#held.release(id)
      this.#found.choose()
    })
    await this.#announce(id)
    return this.#list.row(this.#wanted.find(id))
  }

  async #change(wish: Change, confirm: string | undefined): Promise<PluginRow> {
    const { id, enabled } = wish
    const found = this.#wanted.check(wish)
    this.#wanted.unpin(id)
    let isStored = false
    try {
      const change = enabled ? await this.#confirmed(wish, found, confirm) : wish
      // Outside the queue, so that others can be switched while one plugin hangs at its start.
      const ahead = enabled ? await this.#builds.ahead(change) : undefined
      await this.#changes.run(async () => {
        await this.#builds.beforeTurn(ahead, () => this.#wanted.check(change))
        await this.#replace(change, ahead, async () => {
          await this.#records.write(found, enabled, change.asks)
          isStored = true
          this.#found.choose()
        })
      })
      this.#list.refused.delete(found.folder)
    } catch (error) {
      if (!isStored && error instanceof PluginFault && error.plugin === id)
        await this.#refuse(found, error.blame, wish)
      throw error
    }
    this.#deps.events.emit('plugin.changed', { id, enabled })
    await this.#announce(id)
    return this.#list.row(found)
  }

  /** Reads the plugin's files again, once, if something was wrong with them. */
  async #confirmed(wish: Change, found: Found, confirm: string | undefined): Promise<Change> {
    const isAnew = this.#held.hasStumbled(wish.id) || this.#list.refused.has(found.folder)
    const asks = await this.#consents.check(found, confirm, isAnew)
    return { ...wish, asks, isAnew: isAnew && found.facts !== undefined }
  }

  /** What the plugin, or one of its installed versions, asks for.
   *  @throws plugins.unknown, plugins.unknown_version, plugins.not_loadable */
  async asks(id: string, version?: string): Promise<PluginAsks> {
    const current = this.#wanted.find(id)
    const found = version === undefined ? current : this.#found.version(current, version)
    if (found.blame) throw pluginFailed(id, found.blame)
    if (this.#wanted.isUnsafe(found)) throw pluginUnsafe({ id })
    return this.#consents.describe(found).catch((error: unknown) => {
      throw error instanceof PluginFault ? pluginFailed(id, error.blame) : error
    })
  }

  /** Forgets failures, also of hooks, and tries the plugin again if it is on. @throws plugins.unknown, plugins.not_loadable */
  async unpark(id: string): Promise<PluginRow> {
    const found = this.#wanted.find(id)
    this.#deps.measures.unpark(id)
    if (!this.#records.hasFailed(id) && !this.#held.blameOf(id)) return this.#list.row(found)
    const isTried = this.#wanted.isEnabled(id)
    await this.#changes.run(async () => {
      await this.#records.forgive(id)
      await this.#announce(id)
    })
    if (isTried) return this.setEnabled(id, true)
    this.#held.release(id)
    return this.#list.row(found)
  }

  /** Builds and swaps anew from the folders and the plugins table. */
  reload(): Promise<void> {
    return this.#reloading.run()
  }

  /** What was to be followed is followed as soon as the database answers; until then the old generation serves. */
  #again(error: unknown): never {
    const isClosed = this.#disposers.length === 0
    if (isDatabaseAway(error) && !isClosed) {
      clearTimeout(this.#againTimer)
      this.#againTimer = setTimeout(
        () => void this.reload().catch(() => undefined),
        AGAIN_MS,
      ).unref()
    }
    throw error
  }

  async #reload(): Promise<void> {
    await this.#readAnew()
    const ahead = await this.#builds.ahead()
    await this.#changes.run(async () => {
      await this.#builds.beforeTurn(ahead, () => this.#readAnew())
      await this.#replace(undefined, ahead)
    })
  }

  /** Builds a new generation only if the table and the folders demand other plugins than those that serve; a gap in the
   *  bus alone is no reason. */
  async #follow(): Promise<void> {
    await this.#changes.run(async () => {
      await this.#readAnew()
      if (idsOf(this.#wanted.list()) !== idsOf(this.#builds.built)) await this.#replace()
    })
  }

  async #readAnew(): Promise<void> {
    await this.#held.readAnew()
    await this.#found.read()
    this.#wanted.pinMissing(this.#builds.built)
  }

  /** Reads the folders again, here and on all other nodes. @throws plugins.folder_missing if one of PLUGIN_DIRS is gone */
  async rescan(): Promise<void> {
    await this.#follow()
    await this.#announce('')
  }

  /** Removes everything about a plugin that was uninstalled. */
  async forget(id: string): Promise<void> {
    await this.#changes.run(async () => {
      await this.#records.remove(id)
      this.#held.release(id)
      await this.#found.read()
    })
    await this.#announce(id)
  }

  /** Names are in `language`. */
  list(language: 'en' | 'zh' = 'en'): PluginRow[] {
    return this.#list.rows(language)
  }

  /** The states of external plugins, for other nodes. */
  states(): OwnState[] {
    return this.#list.states()
  }

  /** The installed versions, newest first. */
  versionsOf(id: string): readonly Found[] {
    return this.#found.versionsOf(id)
  }

  manifest(id: string, version?: string): KnownPlugin | undefined {
    return this.#list.manifest(id, version)
  }

  /** Waits for the requests of all generations. */
  async close(): Promise<void> {
    for (const dispose of this.#disposers.splice(0)) dispose()
    await this.#serving.built()
    await this.#changes.over()
    await this.#serving.close()
  }

  async #blameCrash(id: string, detail: string): Promise<void> {
    const found = this.#found.find(id)
    if (found && isExternal(found)) await this.#held.hold(found, { stage: 'crash', detail }, true)
  }

  /** `store` makes the change permanent; if it fails, nothing has changed. */
  async #replace(change?: Change, ahead?: Ahead, store?: () => Promise<void>): Promise<void> {
    const startedAt = performance.now()
    const wanted = this.#wanted.list(change)
    const next = await this.#builds.next(wanted, change, ahead)
    try {
      await store?.()
    } catch (error) {
      this.#serving.retire(next)
      throw error
    }
    await this.#swap(
      next,
      wanted.map((one) => this.#wanted.inForce(one)),
    )
    await this.#deps.afterSwap()
    this.#deps.log.info(
      { generation: next.number, ms: Math.round(performance.now() - startedAt) },
      'generation swapped',
    )
  }

  /** A fault of another version does not count against the one that serves. */
  async #refuse(found: Found, cause: Blame, { version }: Change): Promise<never> {
    const { id } = found
    const blame =
      cause.stage === 'requires' ? ((await requirementCycle(found, this.#found)) ?? cause) : cause
    if (version) {
      // The failed build may have declared its options differently.
      this.#deps.defineOptions(this.current.contributions)
      this.#list.refused.set(found.folder, blame)
      throw versionFailed(id, found.version ?? '', blame)
    }
    if (isExternal(found) && !isWaiting(blame)) await this.#held.hold(found, blame, false)
    throw pluginFailed(id, blame)
  }

  async #swap(next: Generation, wanted: readonly Found[]): Promise<void> {
    this.#builds.built = wanted
    this.#serving.put(next, () => {
      this.#deps.defineOptions(next.contributions)
      this.#list.note(next, wanted)
      if (this.#isServing) next.contributions.activate()
    })
    if (!this.#isServing) return
    for (const found of wanted.filter(isExternal))
      await this.#held.keep(found, next.blamed.get(found.id))
    this.#deps.nodes.announce()
  }

  #announce(id: string): Promise<void> {
    const { cluster } = this.#deps
    return cluster.publish(TOPIC, { node: cluster.nodeId, id })
  }
}
