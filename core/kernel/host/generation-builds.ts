// Builds the generations of the host: when their turn has come, or ahead of it.
import type { Found } from '../discover.ts'
import { buildGeneration, type Generation } from '../generations.ts'
import type { PluginHostDeps } from './host-deps.ts'
import type { PluginList } from './plugin-list.ts'
import type { Serving } from './serving.ts'
import { type Change, idsOf, type WantedPlugins } from './wanted-plugins.ts'

/** A generation that was built before its turn. */
export interface Ahead {
  next: Generation
  ids: string
  /** The generation that served at that time. */
  over: Generation | undefined
}

interface Parts {
  deps: PluginHostDeps
  wanted: WantedPlugins
  list: PluginList
  serving: Serving
}

export class GenerationBuilds {
  readonly #deps: PluginHostDeps
  readonly #wanted: WantedPlugins
  readonly #list: PluginList
  readonly #serving: Serving
  /** What the current generation was built from, including plugins that failed. */
  built: readonly Found[] = []

  constructor({ deps, wanted, list, serving }: Parts) {
    this.#deps = deps
    this.#wanted = wanted
    this.#list = list
    this.#serving = serving
  }

  ahead(change?: Change): Promise<Ahead> {
    const wanted = this.#wanted.list(change)
    const over = this.#serving.generation
    const building = this.build(wanted, change)
    return this.#serving.watch(building.then((next) => ({ next, ids: idsOf(wanted), over })))
  }

  build(wanted: readonly Found[], change?: Change): Promise<Generation> {
    const confirmedOf = (id: string) => this.#wanted.confirmedOf(id)
    const deps = { ...this.#deps, confirmedOf }
    const inTurn = this.#wanted.inTurn(wanted)
    if (!change?.enabled)
      return buildGeneration(inTurn, deps).then((next) => this.#kept(next, wanted))
    const { id, isAnew = false, asks = [] } = change
    return buildGeneration(inTurn, deps, { required: id, isAnew, confirmed: asks })
  }

  /** The generation that was built ahead, unless another change came first. */
  async next(
    wanted: readonly Found[],
    change: Change | undefined,
    ahead: Ahead | undefined,
  ): Promise<Generation> {
    if (!ahead) return this.build(wanted, change)
    if (ahead.over === this.#serving.generation && ahead.ids === idsOf(wanted)) return ahead.next
    this.#serving.retire(ahead.next)
    return this.build(wanted, change)
  }

  /** Runs the check that comes before the turn of `ahead`, and discards what was built ahead if the check fails. */
  async beforeTurn(ahead: Ahead | undefined, check: () => unknown): Promise<void> {
    try {
      await check()
    } catch (error) {
      if (ahead) this.#serving.retire(ahead.next)
      throw error
    }
  }

  /** If a version that was chosen on another node cannot be loaded here, the previous one keeps serving. */
  async #kept(next: Generation, wanted: readonly Found[]): Promise<Generation> {
    const fallen = wanted.flatMap((over) => {
      const blame = next.blamed.get(over.id)
      const before = blame && this.#wanted.before(over, this.built)
      return before ? [{ over, before, blame }] : []
    })
    if (fallen.length === 0) return next
    this.#serving.retire(next)
    for (const { over, before, blame } of fallen) {
      this.#list.refused.set(over.folder, blame)
      this.#wanted.pin(over, before)
    }
    return this.build(wanted.map((found) => this.#wanted.inForce(found)))
  }
}
