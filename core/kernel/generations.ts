import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import type { Adapter } from '../contract/adapter.ts'
import type { Plugin } from '../contract/plugin.ts'
import type { Job } from '../contract/plugin.ts'
import type { Logger } from '../contract/services.ts'
import { onlyNamed } from './manifest/check-asks.ts'
import { Contributions, servicesFor, type SharedServices } from './contributions.ts'
import { type AskList, asksOf, moreThan } from './manifest/asks.ts'
import { inDependencyOrder, isExternal, load, type Found } from './discover.ts'
import { Pace } from './in-slices.ts'
import { guardAdapter } from './guards/guard-adapters.ts'
import type { Measures } from './guards/measures.ts'
import { runAs, watchRejections } from './plugin-context.ts'
import { type Blame, blaming, isDatabaseAway, PluginFault, sentenceOf } from './plugin-fault.ts'
import { loadLimitMs, withOwnTime, withTimeout } from './with-timeout.ts'

export interface GenerationDeps {
  log: Logger
  shared: () => SharedServices
  /** What an external plugin gets of the shared services. */
  narrowed(plugin: Plugin, shared: SharedServices): SharedServices
  measures: Measures
  /** What an external plugin may use, as somebody has confirmed. */
  confirmedOf(id: string): AskList
  /** Time limit for each part of loading a plugin. */
  loadTimeoutMs: number
  /** Makes the option store read the options of these contributions as well as those of the current generation. */
  prepareOptions(contributions: Contributions): void
  /** The values of the plugin's secret options, which its errors may contain. */
  secretsOf(id: string): readonly unknown[]
  /** Whose option a key is: core's, or that of a known plugin, on or off. */
  ownerOfOption(key: string): string | undefined
  /** A Fastify app with all routes, ready. Throws PluginFault for a plugin's route. */
  createApp(contributions: Contributions): Promise<FastifyInstance>
  /** Runs the plugin's pending migrations. */
  runMigrations(plugin: Plugin): Promise<void>
  startJob(job: Job, owner: string): () => void
}

const LINGER_MS = 5_000
const CLOSE_MS = 10_000

/** A complete set of registries and a Fastify app over them. Requests stay with the generation that accepted them. */
export class Generation {
  readonly number: number
  readonly contributions: Contributions
  readonly app: FastifyInstance
  readonly loaded: ReadonlyMap<string, Adapter | Plugin>
  readonly blamed: ReadonlyMap<string, Blame>
  #inFlight = 0
  #whenIdle: (() => void) | undefined

  constructor(
    number: number,
    contributions: Contributions,
    app: FastifyInstance,
    loaded: ReadonlyMap<string, Adapter | Plugin>,
    blamed: ReadonlyMap<string, Blame>,
  ) {
    this.number = number
    this.contributions = contributions
    this.app = app
    this.loaded = loaded
    this.blamed = blamed
  }

  get inFlight(): number {
    return this.#inFlight
  }

  handle(request: IncomingMessage, response: ServerResponse): void {
    this.#inFlight += 1
    response.on('close', () => {
      if (!request.complete) dropRest(request)
      this.#done()
    })
    this.app.routing(request, response)
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    this.#inFlight += 1
    socket.once('close', () => this.#done())
    this.app.server.emit('upgrade', request, socket, head)
  }

  /** Resolves when the last request has ended, then releases everything. */
  async retire(): Promise<void> {
    await this.contributions.deactivate()
    if (this.#inFlight > 0) await new Promise<void>((resolve) => (this.#whenIdle = resolve))
    // A plugin's work when its app closes may hang.
    await withTimeout(CLOSE_MS, 'the end of a generation', this.app.close()).finally(() =>
      this.contributions.dispose(),
    )
  }

  #done(): void {
    this.#inFlight -= 1
    if (this.#inFlight === 0) this.#whenIdle?.()
  }
}

/** Discards what a client still sends after its answer, for a limited time: then its connection is closed. */
function dropRest(request: IncomingMessage): void {
  if (request.destroyed) return
  request.resume()
  const limit = setTimeout(() => request.destroy(), LINGER_MS).unref()
  request.once('close', () => clearTimeout(limit))
  request.once('end', () => clearTimeout(limit))
}

let count = 0

export interface BuildWish {
  /** The plugin for whose sake it is built; without it there is no new generation. */
  required?: string
  /** What somebody has confirmed for the required plugin now. */
  confirmed?: AskList
  /** Reads the files of the required plugin again. */
  isAnew?: boolean
}

/** Builds a generation from the wanted plugins. Plugins that fail are left out and named; the rest is built again without them.
 *  @throws PluginFault of the required plugin */
export async function buildGeneration(
  wanted: readonly Found[],
  deps: GenerationDeps,
  wish: BuildWish = {},
): Promise<Generation> {
  const rejections = watchRejections()
  try {
    const build = new Build(wanted, deps, wish)
    await build.load()
    for (;;) {
      await build.takeRejections(rejections)
      const generation = await build.attempt()
      if (!generation) continue
      if (!(await build.takeRejections(rejections))) return generation
      await generation.retire()
    }
  } finally {
    rejections.end()
  }
}

/** Importing a module may also hang. */
export function loadInTime(found: Found, limitMs: number, isAnew = false): ReturnType<typeof load> {
  const ms = loadLimitMs(limitMs, isExternal(found))
  return withOwnTime(ms, 'import', load(found, { isAnew })).catch((error: unknown) => ({
    found,
    error: new PluginFault(found.id, 'import', error),
  }))
}

class Build {
  readonly #wanted: readonly Found[]
  readonly #deps: GenerationDeps
  readonly #wish: BuildWish
  readonly #external: ReadonlySet<string>
  readonly #loaded = new Map<string, Adapter | Plugin>()
  readonly #blamed = new Map<string, Blame>()

  constructor(wanted: readonly Found[], deps: GenerationDeps, wish: BuildWish) {
    this.#wanted = wanted
    this.#deps = deps
    this.#wish = wish
    this.#external = new Set(wanted.filter(isExternal).map(({ id }) => id))
  }

  async load(): Promise<void> {
    const { loadTimeoutMs } = this.#deps
    const { required, isAnew = false } = this.#wish
    const outcomes = await Promise.all(
      this.#wanted.map((found) =>
        loadInTime(found, loadTimeoutMs, isAnew && found.id === required),
      ),
    )
    for (const outcome of outcomes) {
      if ('error' in outcome) this.#blame(outcome.error)
      else this.#take(outcome.found, outcome.manifest)
    }
  }

  /** A plugin that asks for more than was confirmed is not run at all. */
  #take({ id }: Found, manifest: Adapter | Plugin): void {
    const { required, confirmed } = this.#wish
    const granted = id === required && confirmed ? confirmed : this.#deps.confirmedOf(id)
    const more = this.#external.has(id) ? moreThan(asksOf(manifest), granted) : []
    if (more.length > 0) this.#blame(new PluginFault(id, 'asks', more.join(', ')))
    else this.#loaded.set(id, manifest)
  }

  /** Undefined if a plugin must be left out: the next attempt goes without it. @throws errors that are not a plugin's fault */
  async attempt(): Promise<Generation | undefined> {
    try {
      return await this.#assemble(this.#loaded)
    } catch (error) {
      const known = error instanceof PluginFaults ? error.faults : undefined
      const away = [error, ...(known ?? []).map(({ cause }) => cause)].find(isDatabaseAway)
      if (away !== undefined) throw away
      for (const fault of known ?? (await this.#search(error))) this.#blame(fault)
      return undefined
    }
  }

  /** Whether an external plugin left an unhandled rejection; it is then left out. A built-in one is only named in the log. */
  async takeRejections(rejections: ReturnType<typeof watchRejections>): Promise<boolean> {
    let isTaken = false
    for (const [plugin, error] of await rejections.found()) {
      if (!this.#external.has(plugin) || !this.#loaded.has(plugin)) continue
      this.#blame(new PluginFault(plugin, 'rejection', error))
      isTaken = true
    }
    return isTaken
  }

  #blame(original: PluginFault): void {
    const fault = original.without(this.#deps.secretsOf(original.plugin))
    const { plugin, blame } = fault
    // The stack of a manifest's fault would only show our own code.
    const cause = blame.stage === 'manifest' ? undefined : fault.cause
    this.#deps.log.error(
      { ...(cause instanceof Error ? { err: cause } : {}), plugin },
      `plugin "${plugin}" is left out: ${sentenceOf(blame, 'en')}`,
    )
    this.#blamed.set(plugin, blame)
    this.#loaded.delete(plugin)
    if (plugin === this.#wish.required) throw fault
  }

  /** No plugin could be blamed directly: finds the one without which the build succeeds, otherwise blames all external ones. */
  async #search(error: unknown): Promise<PluginFault[]> {
    const suspects = [...this.#loaded.keys()].filter((id) => this.#external.has(id))
    if (suspects.length === 0) throw error
    for (const id of suspects) {
      const without = new Map(this.#loaded)
      without.delete(id)
      const generation = await this.#assemble(without).catch(() => undefined)
      if (!generation) continue
      await generation.retire()
      return [new PluginFault(id, 'server', error)]
    }
    return suspects.map((id) => new PluginFault(id, 'server', error))
  }

  async #assemble(loaded: ReadonlyMap<string, Adapter | Plugin>): Promise<Generation> {
    const { log, startJob } = this.#deps
    const target = new Contributions(
      (error) => log.error({ err: error }, 'a plugin did not end cleanly'),
      this.#external,
    )
    try {
      const plugins = [...loaded.values()].filter((manifest) => manifest.kind === 'plugin')
      const { ordered, blamed: unmet } = inDependencyOrder(plugins)
      const missing = unmet.get(this.#wish.required ?? '')
      if (missing !== undefined)
        throw new PluginFault(this.#wish.required ?? '', missing.stage, missing.detail)
      await this.#start(target, loaded, ordered)
      const app = await this.#deps.createApp(target)
      for (const { owner, entry } of target.jobs.owned())
        target.whileCurrent(() => startJob(entry, owner))
      count += 1
      const serving = new Map([...loaded].filter(([id]) => !unmet.has(id)))
      const blamed = new Map(this.#blamed)
      for (const [id, blame] of unmet) blamed.set(id, blame)
      return new Generation(count, target, app, serving, blamed)
    } catch (error) {
      await target.deactivate()
      await target.dispose()
      throw error instanceof PluginFault ? new PluginFaults([error]) : error
    }
  }

  /** Reports all failing plugins together, because each further attempt starts all of them again. */
  async #start(
    target: Contributions,
    loaded: ReadonlyMap<string, Adapter | Plugin>,
    ordered: readonly Plugin[],
  ): Promise<void> {
    const faults: PluginFault[] = []
    const taking = async (work: () => void | Promise<void>) => {
      try {
        await work()
      } catch (error) {
        if (!(error instanceof PluginFault)) throw error
        faults.push(error)
      }
    }
    for (const manifest of loaded.values()) {
      if (manifest.kind === 'adapter')
        await taking(() =>
          blaming(manifest.id, 'manifest', () => addAdapter(manifest, target, this.#deps)),
        )
    }
    for (const plugin of ordered) await taking(() => takeManifest(plugin, target, this.#deps))
    if (faults.length === 0) this.#deps.prepareOptions(target)
    const pace = new Pace()
    if (faults.length === 0)
      for (const plugin of ordered) {
        await taking(() => startPlugin(plugin, target, this.#deps))
        // Another generation serves in the meantime, so the work leaves it time.
        if (pace.isDue) await pace.breathe()
      }
    if (faults.length > 0) throw new PluginFaults(faults)
  }
}

class PluginFaults extends Error {
  readonly faults: readonly PluginFault[]

  constructor(faults: readonly PluginFault[]) {
    super(faults.map(({ message }) => message).join('; '))
    this.faults = faults
  }
}

function addAdapter(
  manifest: Adapter,
  target: Contributions,
  { measures, log }: GenerationDeps,
): void {
  if (!target.external.has(manifest.id)) return target.addAdapter(manifest)
  const { id } = manifest
  const meter = measures.meter(id, 'adapter', id)
  target.addAdapter(manifest, (adapter) => guardAdapter(adapter, meter, log))
}

function takeManifest(
  plugin: Plugin,
  target: Contributions,
  { ownerOfOption }: GenerationDeps,
): Promise<void> {
  return blaming(plugin.id, 'options', () => {
    target.plugins.push(plugin)
    if (!plugin.options) return
    const keys = Object.keys(plugin.options.schema.properties)
    for (const key of keys) {
      const own = target.options.find(({ definitions }) =>
        Object.hasOwn(definitions.schema.properties, key),
      )
      const owner = own?.owner ?? ownerOfOption(key) ?? plugin.id
      if (owner !== plugin.id) throw new Error(`option "${key}" belongs to "${owner}"`)
    }
    target.options.push({ owner: plugin.id, definitions: plugin.options })
  })
}

async function startPlugin(
  plugin: Plugin,
  target: Contributions,
  deps: GenerationDeps,
): Promise<void> {
  const { id } = plugin
  await blaming(id, 'migration', () => runAs(id, () => deps.runMigrations(plugin)))
  await blaming(id, 'server', async () => {
    const isExternal = target.external.has(id)
    const shared = isExternal ? deps.narrowed(plugin, deps.shared()) : deps.shared()
    const all = servicesFor(id, shared, target, deps.measures)
    const services = isExternal ? onlyNamed(all, plugin.asks?.services) : all
    for (const command of plugin.cliCommands ?? [])
      target.cliCommands.add(id, {
        id: `${id} ${command.id}`,
        run: (args, print) => command.run(args, services, print),
      })
    const starting = runAs(id, () => plugin.server?.(services))
    const dispose = await inTime(starting, loadLimitMs(deps.loadTimeoutMs, isExternal))
    if (typeof dispose === 'function') target.onDispose(dispose)
  })
}

type Disposer = () => void | Promise<void>

/** Something that starts too late is ended at once. */
async function inTime(
  starting: void | Disposer | Promise<void | Disposer>,
  limitMs: number,
): Promise<void | Disposer> {
  let isLate = false
  if (starting instanceof Promise)
    starting.then(
      (dispose) => (isLate && typeof dispose === 'function' ? dispose() : undefined),
      () => undefined,
    )
  try {
    return await withOwnTime(limitMs, 'server()', starting)
  } catch (error) {
    isLate = true
    throw error
  }
}
