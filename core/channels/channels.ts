import type { Adapter, OptionReader } from '../contract/adapter.ts'
import type { ChannelRun, ChannelRunKind, RefusedKeys } from '../contract/channel-services.ts'
import type { HttpClient } from '../contract/http-client.ts'
import type { EventBus } from '../contract/events.ts'
import type { JsonObject } from '../contract/json.ts'
import type {
  Actor,
  ChannelRecord,
  ChannelService,
  ClusterBus,
  DatabaseService,
  Logger,
  LogService,
  PricingService,
  SecretService,
} from '../contract/services.ts'
import type { AutomaticStatus } from '../contract/constants.ts'
import { AutomaticChanges } from './health/automatic-changes.ts'
import {
  addChannels,
  copyChannel,
  editChannel,
  removeChannels,
  removeDisabledChannels,
  type EditDeps,
} from './channel-edits.ts'
import { ChannelQueries } from './channel-queries.ts'
import { channelFieldMissing, channelTypeUnknown } from './channel-errors.ts'
import { keyLines, readChannelFields } from './channel-input.ts'
import { updateChannels } from './channel-store.ts'
import { ChannelRuns } from './upstream/channel-runs.ts'
import { editTag, setStatusOf, setTagStatus, tagChannels } from './channel-tags.ts'
import { testChannel, type TestDeps } from './upstream/test-channel.ts'
import { ChannelHealth } from './health/health.ts'
import { enableKeys, removeKeys } from './keys/refused-keys.ts'
import { RecentHealth } from './health/recent-health.ts'
import type { ChannelProbe } from './upstream/channel-probe.ts'
import { unsavedView, type RoutedChannel } from './routing/routed-channel.ts'
import { ChannelRouting } from './routing/routing.ts'
import { fetchBalances } from './upstream/fetch-balances.ts'
import { fetchUpstreamModels } from './upstream/fetch-models.ts'

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
  const all = { ...deps, now: deps.now ?? (() => new Date()) }
  return new Channels(all, new ChannelRouting(all), new RecentHealth(all))
}

/** The channel service. What it reads is in `ChannelQueries`; here is what changes channels and what calls their upstreams. */
export class Channels extends ChannelQueries implements ChannelService {
  /** Is told about every failed attempt, and decides about automatic disabling. */
  readonly health: ChannelHealth
  readonly #deps: Required<ChannelsDeps>
  readonly #routing: ChannelRouting
  readonly #runs: ChannelRuns
  readonly #edit: EditDeps
  readonly #test: TestDeps
  readonly #closing = new AbortController()
  readonly #recent: RecentHealth
  readonly #automatic: AutomaticChanges
  #probe: ChannelProbe | undefined

  constructor(deps: Required<ChannelsDeps>, routing: ChannelRouting, recent: RecentHealth) {
    super(deps, routing, recent)
    this.#deps = deps
    this.#routing = routing
    this.#recent = recent
    this.#edit = {
      ...deps,
      adapterOf: (type) => this.adapterOf(type),
      nowSeconds: () => this.#nowSeconds(),
    }
    this.#automatic = new AutomaticChanges({
      ...this.#edit,
      events: deps.events,
      secretsOf: (id) => this.index().find(id)?.secrets ?? [],
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
      test: (channel, actor, signal) =>
        testChannel({ ...this.#test, closing: signal }, channel, undefined, actor),
      balance: (channel) => this.#balance(channel),
    })
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

  async enableKeys(id: number, choice: RefusedKeys): Promise<ChannelRecord> {
    await enableKeys(this.#edit, id, choice)
    await this.#changed([id])
    return this.find(id)
  }

  async removeKeys(id: number, choice: RefusedKeys): Promise<ChannelRecord> {
    await removeKeys(this.#edit, id, choice)
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

  async setStatus(ids: readonly number[], status: number): Promise<number> {
    const changed = await setStatusOf(this.#deps.database, ids, status)
    await this.#changed(changed)
    return changed.length
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

  async test(id: number, model: string | undefined, actor: Actor, language?: 'en' | 'zh') {
    return testChannel(this.#test, this.routed(id), model, actor, language)
  }

  testAll(actor: Actor, isScheduled = false): Promise<void> {
    return this.#runs.startTests(actor, isScheduled ? '' : actor.username)
  }

  async updateBalance(id: number): Promise<number> {
    return this.#balance(this.routed(id))
  }

  updateAllBalances(actor?: Pick<Actor, 'username'>): Promise<void> {
    return this.#runs.startBalances(actor?.username ?? '')
  }

  runs(): Promise<ChannelRun[]> {
    return this.#runs.read()
  }

  stopRun(kind: ChannelRunKind, { username }: Pick<Actor, 'username'>): Promise<void> {
    return this.#runs.stop(kind, username)
  }

  async fetchModels(
    target: { id: number } | { base_url: string; type: number; key: string; setting?: string },
  ): Promise<string[]> {
    if ('id' in target) {
      const { adapter, view, type } = this.routed(target.id)
      if (adapter === undefined) throw channelTypeUnknown({ type })
      return fetchUpstreamModels(this.#deps, adapter, view)
    }
    const adapter = this.adapterOf(target.type)
    if (adapter === undefined) throw channelTypeUnknown({ type: target.type }, { field: 'type' })
    const key = adapter.form?.isMultilineKey ? target.key.trim() : (keyLines(target.key)[0] ?? '')
    if (key === '') throw channelFieldMissing({ field: 'key' }, { field: 'key' })
    const { setting = '' } = readChannelFields({ setting: target.setting })
    return fetchUpstreamModels(
      this.#deps,
      adapter,
      unsavedView({ ...target, key, setting }, adapter),
    )
  }

  /** Sums the balances of all live keys, because calls may use any of them. */
  async #balance({ id, adapter, keyViews }: RoutedChannel): Promise<number> {
    const usd = await fetchBalances(this.#deps, adapter, keyViews)
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
    return Math.floor(this.#deps.now().getTime() / 1000)
  }
}
