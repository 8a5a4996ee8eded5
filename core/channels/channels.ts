import type { RouteFigures } from '../contract/relay-points.ts'
import type { Adapter, ChannelView, OptionReader } from '../contract/adapter.ts'
import type { HttpClient } from '../contract/http-client.ts'
import type { EventBus } from '../contract/events.ts'
import type { JsonObject } from '../contract/json.ts'
import type {
  Actor,
  ChannelRecord,
  ChannelService,
  ChannelStanding,
  ClusterBus,
  DatabaseService,
  Logger,
  LogService,
  PricingService,
  RecentChannelHealth,
  SecretService,
} from '../contract/services.ts'
import { type AutomaticStatus, channelStatus } from '../contract/constants.ts'
import { toChannelRecord } from '../data/models/channel.ts'
import { AutomaticChanges } from './automatic-changes.ts'
import {
  addChannels,
  copyChannel,
  editChannel,
  removeChannels,
  removeDisabledChannels,
  type EditDeps,
} from './channel-edits.ts'
import { channelFieldMissing, channelNotFound, channelTypeUnknown } from './channel-errors.ts'
import { keyLines } from './channel-input.ts'
import { channelTags, listChannels } from './channel-search-sql.ts'
import { findChannel, updateChannels } from './channel-store.ts'
import { ChannelRuns } from './channel-runs.ts'
import { editTag, setTagStatus, tagChannels } from './channel-tags.ts'
import { testChannel, type TestDeps } from './channel-test.ts'
import { ChannelHealth } from './health.ts'
import { RecentHealth } from './recent-health.ts'
import type { ChannelIndex } from './channel-index.ts'
import type { ChannelProbe } from './channel-probe.ts'
import { httpOptionsOf, unsavedView, type RoutedChannel } from './routed-channel.ts'
import { adaptersByType, ChannelRouting } from './routing.ts'
import { shownChannel } from './setting-secrets.ts'
import { sumOfBalances } from './sum-of-balances.ts'
import { fetchUpstreamBalance, fetchUpstreamModels } from './upstream-models.ts'

export interface ChannelsDeps {
  database: DatabaseService
  secrets: SecretService
  options: OptionReader
  events: EventBus
  http: HttpClient
  logs: LogService
  pricing: Pick<PricingService, 'snapshot' | 'receipt'>
  cluster: ClusterBus
  adapters: () => readonly Adapter[]
  log: Logger
  now?: () => Date
}

/** Characters of the upstream's message that are stored when a test failed. */
const LONGEST_FAULT = 500

/** It knows no channels until the first `reload`: before the first generation there are no adapters. */
export function createChannels(deps: ChannelsDeps): Channels {
  return new Channels(deps, new ChannelRouting(deps))
}

type ListQuery = Parameters<ChannelService['list']>[0]

export class Channels implements ChannelService {
  /** Is told about every failed attempt, and decides about automatic disabling. */
  readonly health: ChannelHealth
  readonly #deps: ChannelsDeps
  readonly #routing: ChannelRouting
  readonly #runs: ChannelRuns
  readonly #edit: EditDeps
  readonly #test: TestDeps
  readonly #now: () => Date
  readonly #closing = new AbortController()
  readonly #recent: RecentHealth
  readonly #automatic: AutomaticChanges
  #probe: ChannelProbe | undefined

  constructor(deps: ChannelsDeps, routing: ChannelRouting) {
    this.#deps = deps
    this.#routing = routing
    this.#now = deps.now ?? (() => new Date())
    this.#recent = new RecentHealth({ ...deps, now: this.#now })
    this.#edit = {
      ...deps,
      adapterOf: (type) => this.adapterOf(type),
      nowSeconds: () => this.#nowSeconds(),
    }
    this.#automatic = new AutomaticChanges({
      ...this.#edit,
      events: deps.events,
      keysOf: (id) => this.index().find(id)?.keys ?? [],
      changed: (ids) => this.#changed(ids),
    })
    const setAutomatic = this.setAutomatic.bind(this)
    this.health = new ChannelHealth({
      ...deps,
      setAutomatic,
      disableKey: this.#automatic.disableKey.bind(this.#automatic),
      recent: this.#recent,
    })
    this.#test = {
      ...deps,
      health: this.health,
      closing: this.#closing.signal,
      probe: () => this.#requireProbe(),
      recordTest: this.recordTest.bind(this),
    }
    this.#runs = new ChannelRuns({
      ...deps,
      setAutomatic,
      health: this.health,
      channels: () => [...this.index().all()],
      test: (channel, actor) => testChannel(this.#test, channel, undefined, actor),
      balance: (channel) => this.#balance(channel),
    })
  }

  /** The current routing index. A request keeps the one that it began with. */
  index(): ChannelIndex {
    return this.#routing.index()
  }

  /** Reads all channels anew. */
  reload(): Promise<void> {
    return this.#routing.reload()
  }

  /** Called when the set of adapters has changed. */
  useAdapters(): Promise<void> {
    return this.#routing.useAdapters()
  }

  /** Sets the way to make test calls, which the relay provides once it is there. */
  useProbe(probe: ChannelProbe): void {
    this.#probe = probe
  }

  async close(): Promise<void> {
    this.#routing.close()
    this.#recent.close()
    const stopped = this.#runs.close()
    this.#closing.abort()
    await stopped
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

  async create(input: JsonObject): Promise<number[]> {
    const ids = await addChannels(this.#edit, input)
    await this.#changed(ids)
    return ids
  }

  async update(input: JsonObject): Promise<ChannelRecord> {
    const id = await editChannel(this.#edit, input)
    await this.#changed([id])
    return this.find(id)
  }

  async copy(id: number): Promise<number> {
    const copy = await copyChannel(this.#edit, id)
    await this.#changed([copy])
    return copy
  }

  async remove(ids: readonly number[]): Promise<number> {
    const removed = await removeChannels(this.#deps.database, ids)
    await this.#changed(ids)
    return removed
  }

  async removeDisabled(): Promise<number> {
    const ids = await removeDisabledChannels(this.#deps.database)
    await this.#changed(ids)
    return ids.length
  }

  async setTagStatus(tag: string, status: number): Promise<void> {
    await this.#changed(await setTagStatus(this.#deps.database, tag, status))
  }

  async editTag(input: JsonObject): Promise<void> {
    await this.#changed(await editTag(this.#deps.database, input))
  }

  async tagChannels(ids: readonly number[], tag: string | null): Promise<number> {
    const changed = await tagChannels(this.#deps.database, ids, tag)
    await this.#changed(changed)
    return changed.length
  }

  async rebuildRouting(): Promise<number> {
    await this.#routing.changedAll()
    return [...this.index().all()].length
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

  setAutomatic(id: number, status: AutomaticStatus, reason: string): Promise<void> {
    return this.#automatic.setStatus(id, status, reason)
  }

  async recordTest(id: number, responseMs: number, fault = ''): Promise<void> {
    const columns = {
      response_time: responseMs,
      test_time: this.#nowSeconds(),
      test_fault: fault.slice(0, LONGEST_FAULT).toWellFormed(),
    }
    await updateChannels(this.#deps.database, [id], columns)
  }

  async recordBalance(id: number, usd: number): Promise<void> {
    const columns = { balance: usd, balance_updated_time: this.#nowSeconds() }
    await updateChannels(this.#deps.database, [id], columns)
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

  async test(id: number, model: string | undefined, actor: Actor) {
    return testChannel(this.#test, this.#routed(id), model, actor)
  }

  async testAll(actor: Actor): Promise<void> {
    this.#runs.startTests(actor)
  }

  async updateBalance(id: number): Promise<number> {
    return this.#balance(this.#routed(id))
  }

  async updateAllBalances(): Promise<void> {
    this.#runs.startBalances()
  }

  async fetchModels(
    target: { id: number } | { base_url: string; type: number; key: string },
  ): Promise<string[]> {
    const upstream = { ...this.#deps, now: this.#now }
    if ('id' in target) {
      const { adapter, view, type } = this.#routed(target.id)
      if (adapter === undefined) throw channelTypeUnknown({ type })
      return fetchUpstreamModels(upstream, adapter, view)
    }
    const adapter = this.adapterOf(target.type)
    if (adapter === undefined) throw channelTypeUnknown({ type: target.type }, { field: 'type' })
    const key = adapter.form?.isMultilineKey ? target.key.trim() : (keyLines(target.key)[0] ?? '')
    if (key === '') throw channelFieldMissing({ field: 'key' }, { field: 'key' })
    return fetchUpstreamModels(upstream, adapter, unsavedView({ ...target, key }, adapter))
  }

  #routed(id: number): RoutedChannel {
    const channel = this.index().find(id)
    if (channel === undefined) throw channelNotFound({ id })
    return channel
  }

  /** Sums the balances of all live keys, because calls may use any of them. */
  async #balance({ id, adapter, keyViews }: RoutedChannel): Promise<number> {
    const upstream = { ...this.#deps, now: this.#now }
    const usd = await sumOfBalances(keyViews, (view) =>
      fetchUpstreamBalance(upstream, adapter, view),
    )
    await this.recordBalance(id, usd)
    return usd
  }

  /** Updates routing before it emits the events, so that listeners may rely on it. */
  async #changed(ids: readonly number[]): Promise<void> {
    if (ids.length === 0) return
    await this.#routing.changed(ids)
    for (const channelId of ids) this.#deps.events.emit('channel.changed', { channelId })
  }

  #requireProbe(): ChannelProbe {
    if (this.#probe === undefined) throw new Error('channel tests need the relay, which is not up')
    return this.#probe
  }

  #nowSeconds(): number {
    return Math.floor(this.#now().getTime() / 1000)
  }
}
