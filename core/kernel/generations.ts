import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import type { Adapter } from '../contract/adapter.ts'
import type { Plugin } from '../contract/plugin.ts'
import type { Job } from '../contract/plugin.ts'
import type { Logger } from '../contract/services.ts'
import { Contributions, servicesFor, type SharedServices } from './contributions.ts'
import { inDependencyOrder, load, type Found } from './discover.ts'
import { withTimeout } from './with-timeout.ts'

/** A plugin's fault, found while a generation was built. */
export class PluginFault extends Error {
  readonly plugin: string

  constructor(plugin: string, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
    this.name = 'PluginFault'
    this.plugin = plugin
  }
}

export interface GenerationDeps {
  log: Logger
  shared: () => SharedServices
  /** Makes the option store know the options of core and of these contributions. */
  defineOptions(contributions: Contributions): void
  /** A Fastify app with all routes, ready. Throws PluginFault for a plugin's route. */
  createApp(contributions: Contributions): Promise<FastifyInstance>
  /** Those of the plugin's migrations that have not run yet. */
  runMigrations(plugin: Plugin): Promise<void>
  startJob(job: Job, owner: string): () => void
}

const LOAD_TIMEOUT_MS = 10_000
const LINGER_MS = 5_000

/** A complete set of registries and a Fastify app over them. Requests stay with the generation that accepted them. */
export class Generation {
  readonly number: number
  readonly contributions: Contributions
  readonly app: FastifyInstance
  readonly loaded: ReadonlyMap<string, Adapter | Plugin>
  readonly blamed: ReadonlyMap<string, string>
  #inFlight = 0
  #whenIdle: (() => void) | undefined

  constructor(
    number: number,
    contributions: Contributions,
    app: FastifyInstance,
    loaded: ReadonlyMap<string, Adapter | Plugin>,
    blamed: ReadonlyMap<string, string>,
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
    response.once('close', () => {
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
    await this.app.close()
    await this.contributions.dispose()
  }

  #done(): void {
    this.#inFlight -= 1
    if (this.#inFlight === 0) this.#whenIdle?.()
  }
}

/** What a client still sends after its answer is thrown away, for a while only: then its connection ends. */
function dropRest(request: IncomingMessage): void {
  if (request.destroyed) return
  request.resume()
  const limit = setTimeout(() => request.destroy(), LINGER_MS).unref()
  request.once('close', () => clearTimeout(limit))
  request.once('end', () => clearTimeout(limit))
}

let count = 0

/** Builds a generation from what is wanted. Plugins that throw are left out and blamed by name; the rest is built anew without them. */
export async function buildGeneration(
  wanted: readonly Found[],
  deps: GenerationDeps,
): Promise<Generation> {
  const blamed = new Map<string, string>()
  const loaded = new Map<string, Adapter | Plugin>()
  for (const outcome of await Promise.all(wanted.map(loadInTime))) {
    if ('error' in outcome) blamed.set(outcome.found.id, outcome.error.message)
    else if (loaded.has(outcome.found.id))
      blamed.set(outcome.found.id, 'another plugin of this id was found first')
    else loaded.set(outcome.found.id, outcome.manifest)
  }
  for (;;) {
    try {
      return await assemble(loaded, blamed, deps)
    } catch (error) {
      if (!(error instanceof PluginFault) || !loaded.has(error.plugin)) throw error
      deps.log.error(
        { err: error, plugin: error.plugin },
        'a plugin failed to load and is left out',
      )
      blamed.set(error.plugin, error.message)
      loaded.delete(error.plugin)
    }
  }
}

/** Also importing a module may wait for something that never comes. */
export function loadInTime(found: Found): ReturnType<typeof load> {
  return withTimeout(LOAD_TIMEOUT_MS, 'import', load(found)).catch((error: unknown) => ({
    found,
    error: error instanceof Error ? error : new Error(String(error)),
  }))
}

async function assemble(
  loaded: Map<string, Adapter | Plugin>,
  blamed: Map<string, string>,
  deps: GenerationDeps,
): Promise<Generation> {
  const target = new Contributions((error) =>
    deps.log.error({ err: error }, 'a plugin did not end cleanly'),
  )
  try {
    const plugins = [...loaded.values()].filter((manifest) => manifest.kind === 'plugin')
    const { ordered, blamed: unmet } = inDependencyOrder(plugins)
    for (const [id, reason] of unmet) {
      blamed.set(id, reason)
      loaded.delete(id)
    }
    collectManifests(target, loaded, ordered)
    deps.defineOptions(target)
    for (const plugin of ordered) await startPlugin(plugin, target, deps)
    const app = await deps.createApp(target)
    for (const { owner, entry } of target.jobs.owned())
      target.whileCurrent(() => deps.startJob(entry, owner))
    count += 1
    return new Generation(count, target, app, new Map(loaded), new Map(blamed))
  } catch (error) {
    await target.deactivate()
    await target.dispose()
    throw error
  }
}

function collectManifests(
  target: Contributions,
  loaded: Map<string, Adapter | Plugin>,
  ordered: readonly Plugin[],
): void {
  for (const manifest of loaded.values()) {
    if (manifest.kind === 'adapter') blame(manifest.id, () => target.addAdapter(manifest))
  }
  for (const plugin of ordered) {
    target.plugins.push(plugin)
    if (!plugin.options) continue
    const known = new Set(
      target.options.flatMap((group) => Object.keys(group.definitions.schema.properties)),
    )
    const twice = Object.keys(plugin.options.schema.properties).find((key) => known.has(key))
    if (twice)
      throw new PluginFault(
        plugin.id,
        new Error(`option "${twice}" is declared by another plugin already`),
      )
    target.options.push({ owner: plugin.id, definitions: plugin.options })
  }
}

async function startPlugin(
  plugin: Plugin,
  target: Contributions,
  deps: GenerationDeps,
): Promise<void> {
  try {
    await deps.runMigrations(plugin)
    const services = servicesFor(plugin.id, deps.shared(), target)
    for (const command of plugin.cliCommands ?? [])
      target.cliCommands.add(plugin.id, {
        id: `${plugin.id} ${command.id}`,
        run: (args, print) => command.run(args, services, print),
      })
    const server = plugin.server?.(services)
    const dispose = await withTimeout(LOAD_TIMEOUT_MS, 'server()', server)
    if (typeof dispose === 'function') target.onDispose(dispose)
  } catch (error) {
    throw new PluginFault(plugin.id, error)
  }
}

function blame(plugin: string, work: () => void): void {
  try {
    work()
  } catch (error) {
    throw new PluginFault(plugin, error)
  }
}
