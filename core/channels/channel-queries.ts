import type { Adapter, ChannelView } from '../contract/adapter.ts'
import { channelStatus } from '../contract/constants.ts'
import type { RouteFigures } from '../contract/relay-points.ts'
import type {
  ChannelRecord,
  ChannelService,
  ChannelStanding,
  DatabaseService,
  RecentChannelHealth,
  SecretService,
} from '../contract/services.ts'
import { toChannelRecord } from '../data/models/channel.ts'
import { channelNotFound } from './channel-errors.ts'
import type { ChannelIndex } from './routing/channel-index.ts'
import { channelTags, listChannels } from './channel-search-sql.ts'
import { findChannel } from './channel-store.ts'
import type { RecentHealth } from './health/recent-health.ts'
import { httpOptionsOf, type RoutedChannel } from './routing/routed-channel.ts'
import { adaptersByType, type ChannelRouting } from './routing/routing.ts'
import { shownChannel } from './setting-secrets.ts'

type ListQuery = Parameters<ChannelService['list']>[0]

export interface QueryDeps {
  database: DatabaseService
  secrets: SecretService
  adapters: () => readonly Adapter[]
}

/** The reading part of the channel service: rows for admins, and from memory what is routed and how it fares. */
export class ChannelQueries {
  readonly #deps: QueryDeps
  readonly #routing: Pick<ChannelRouting, 'index'>
  readonly #recent: Pick<RecentHealth, 'of' | 'failing' | 'speedOf'>

  constructor(
    deps: QueryDeps,
    routing: Pick<ChannelRouting, 'index'>,
    recent: Pick<RecentHealth, 'of' | 'failing' | 'speedOf'>,
  ) {
    this.#deps = deps
    this.#routing = routing
    this.#recent = recent
  }

  /** The current routing index. A request keeps the one that it began with. */
  index(): ChannelIndex {
    return this.#routing.index()
  }

  async list(query: ListQuery) {
    const found = await listChannels(this.#deps.database, query, this.#keyHash(query.keyword))
    const adapterOf = adaptersByType(this.adapters())
    const items = found.items.map((record) => shownChannel(record, adapterOf.get(record.type)))
    return { ...found, items }
  }

  /** Keys are stored encrypted; a search for a key compares this hash. */
  #keyHash(keyword = ''): string {
    return this.#deps.secrets.lookup('channel-key', keyword.trim())
  }

  recentHealth(id: number): RecentChannelHealth {
    return this.#recent.of(id)
  }

  /** The figures of a channel that routing policies get. */
  routeFigures(id: number): RouteFigures {
    const { succeeded, failed } = this.#recent.of(id)
    const speed = this.#recent.speedOf(id)
    return { succeeded, failed, firstByteMs: speed?.firstByteMs, durationMs: speed?.durationMs }
  }

  standing(most: number): ChannelStanding {
    const counts = { enabled: 0, disabled: 0, auto_disabled: 0 }
    for (const { status } of this.index().all()) {
      if (status === channelStatus.enabled) counts.enabled += 1
      else if (status === channelStatus.disabledAutomatically) counts.auto_disabled += 1
      else counts.disabled += 1
    }
    const failing = this.#recent.failing(most).flatMap((health) => {
      const channel = this.index().find(health.id)
      return channel ? [{ name: channel.name, ...health }] : []
    })
    return { ...counts, failing }
  }

  async find(id: number): Promise<ChannelRecord> {
    const row = await findChannel(this.#deps.database, id)
    if (row === undefined) throw channelNotFound({ id })
    return shownChannel(toChannelRecord(row), this.adapterOf(row.type))
  }

  async storedKey(id: number): Promise<string> {
    const row = await findChannel(this.#deps.database, id)
    if (row === undefined) throw channelNotFound({ id })
    return this.#deps.secrets.decrypt(row.key)
  }

  tags(): Promise<string[]> {
    return channelTags(this.#deps.database)
  }

  enabledModels(): Promise<string[]> {
    return Promise.resolve([...this.index().models()])
  }

  modelsOfGroups(groups: readonly string[]): Promise<string[]> {
    return Promise.resolve([...this.index().modelsOf(groups).keys()])
  }

  groupsOfModels(): Promise<ReadonlyMap<string, readonly string[]>> {
    return Promise.resolve(this.index().groupsOfModels())
  }

  view(id: number): Promise<ChannelView | undefined> {
    return Promise.resolve(this.index().find(id)?.view)
  }

  adapterOf(type: number): Adapter | undefined {
    return this.adapters().findLast(({ channelTypes }) => Object.hasOwn(channelTypes, type))
  }

  adapters(): readonly Adapter[] {
    return this.#deps.adapters()
  }

  httpOptionsOf(channel: ChannelView) {
    return httpOptionsOf(channel)
  }

  /** @throws channel.not_found */
  protected routed(id: number): RoutedChannel {
    const channel = this.index().find(id)
    if (channel === undefined) throw channelNotFound({ id })
    return channel
  }
}
