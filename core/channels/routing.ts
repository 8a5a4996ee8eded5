import type { Adapter } from '../contract/adapter.ts'
import { resyncTopic } from '../cluster/bus.ts'
import type { ClusterBus, DatabaseService, Logger, SecretService } from '../contract/services.ts'
import { ChannelIndex } from './channel-index.ts'
import { selectChannels, type ChannelRow } from './channel-row.ts'
import { routedChannel, type RoutedChannel } from './routed-channel.ts'

const topic = 'channels'

export interface RoutingDeps {
  database: DatabaseService
  secrets: SecretService
  cluster: ClusterBus
  adapters: () => readonly Adapter[]
  log: Logger
}

/** Keeps the current index true: one rebuild after each change, on every node. */
export class ChannelRouting {
  readonly #deps: RoutingDeps
  readonly #disposers: (() => void)[]
  #index = new ChannelIndex([])
  #running: Promise<void> | undefined
  #queued: Promise<void> | undefined

  private constructor(deps: RoutingDeps) {
    this.#deps = deps
    const follow = () => {
      this.reload().catch((error: unknown) =>
        deps.log.error({ error }, 'channel index not rebuilt'),
      )
    }
    this.#disposers = [
      deps.cluster.subscribe(topic, ({ from }) => {
        if (from !== deps.cluster.nodeId) follow()
      }),
      deps.cluster.subscribe(resyncTopic, follow),
    ]
  }

  static async open(deps: RoutingDeps): Promise<ChannelRouting> {
    const routing = new ChannelRouting(deps)
    await routing.reload()
    return routing
  }

  index(): ChannelIndex {
    return this.#index
  }

  /** Rebuilds from the table. Calls during a rebuild share the one that follows it, for the running one may have read before their change. */
  reload(): Promise<void> {
    if (this.#running === undefined) return this.#start()
    this.#queued ??= this.#running.then(
      () => this.#startQueued(),
      () => this.#startQueued(),
    )
    return this.#queued
  }

  /** After a committed change: rebuilds here, then tells the other nodes. */
  async changed(): Promise<void> {
    await this.reload()
    await this.#deps.cluster.publish(topic, { from: this.#deps.cluster.nodeId })
  }

  close(): void {
    for (const dispose of this.#disposers.splice(0)) dispose()
  }

  #startQueued(): Promise<void> {
    this.#queued = undefined
    return this.#start()
  }

  #start(): Promise<void> {
    const run = this.#load().finally(() => {
      this.#running = undefined
    })
    this.#running = run
    return run
  }

  async #load(): Promise<void> {
    const rows = await this.#deps.database.select<ChannelRow>(`${selectChannels} ORDER BY id`)
    const adapterOf = adaptersByType(this.#deps.adapters())
    this.#index = new ChannelIndex(
      rows.flatMap((row) => this.#open(row, adapterOf.get(row.type)) ?? []),
    )
  }

  /** A key that cannot be opened (another master key wrote it) takes out its own channel only. */
  #open(row: ChannelRow, adapter: Adapter | undefined): RoutedChannel | undefined {
    try {
      return routedChannel(row, this.#deps.secrets.decrypt(row.key), adapter)
    } catch (error) {
      this.#deps.log.error({ channelId: row.id, error }, 'channel key cannot be decrypted')
      return undefined
    }
  }
}

export function adaptersByType(adapters: readonly Adapter[]): Map<number, Adapter> {
  const byType = new Map<number, Adapter>()
  for (const adapter of adapters) {
    for (const type of Object.keys(adapter.channelTypes)) byType.set(Number(type), adapter)
  }
  return byType
}
