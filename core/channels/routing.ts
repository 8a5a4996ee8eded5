import type { Adapter } from '../contract/adapter.ts'
import type { ClusterBus, DatabaseService, Logger, SecretService } from '../contract/services.ts'
import { SharedRun } from '../kernel/shared-run.ts'
import { ChannelIndex } from './channel-index.ts'
import type { ChannelRow } from '../data/models/channel.ts'
import { routedChannel, type RoutedChannel } from './routed-channel.ts'
import { loadChannels } from './routing-sql.ts'

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
  readonly #reading = new SharedRun(() => this.#load())
  readonly #unsubscribe: () => void
  #index = new ChannelIndex([])

  private constructor(deps: RoutingDeps) {
    this.#deps = deps
    this.#unsubscribe = deps.cluster.subscribe(
      topic,
      ({ from }) => (from === deps.cluster.nodeId ? undefined : this.reload()),
      () => this.reload(),
    )
  }

  static async open(deps: RoutingDeps): Promise<ChannelRouting> {
    const routing = new ChannelRouting(deps)
    await routing.reload()
    return routing
  }

  index(): ChannelIndex {
    return this.#index
  }

  /** Rebuilds from the table. */
  reload(): Promise<void> {
    return this.#reading.run()
  }

  /** After a committed change: rebuilds here, then tells the other nodes. */
  async changed(): Promise<void> {
    await this.reload()
    await this.#deps.cluster.publish(topic, { from: this.#deps.cluster.nodeId })
  }

  close(): void {
    this.#unsubscribe()
  }

  async #load(): Promise<void> {
    const rows = await loadChannels(this.#deps.database)
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
