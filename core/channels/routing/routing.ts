import type { Adapter } from '../../contract/adapter.ts'
import type { JsonObject } from '../../contract/json.ts'
import type { ClusterBus, DatabaseService, Logger, SecretService } from '../../contract/services.ts'
import { inSlices } from '../../kernel/in-slices.ts'
import { SharedRun } from '../../kernel/shared-run.ts'
import { ChannelIndex } from './channel-index.ts'
import { routedChannel, type RoutedChannel } from './routed-channel.ts'
import { loadChannels, loadChannelsAfter, routingColumns, type RoutingRow } from './routing-sql.ts'
import { openSetting } from '../setting-secrets.ts'

const topic = 'channels'
/** Rows per query. */
const PAGE = 200
/** A message with more ids would not fit on the bus; the other nodes then read everything. */
const MOST_IDS_ANNOUNCED = 300

export interface RoutingDeps {
  database: DatabaseService
  secrets: SecretService
  cluster: ClusterBus
  adapters: () => readonly Adapter[]
  log: Logger
}

/** The last known state of a channel. */
interface Known {
  row: RoutingRow
  adapter: Adapter | undefined
  /** Undefined if its key cannot be decrypted. */
  channel: RoutedChannel | undefined
}

/** Keeps the index current on every node. After a change the changed channels are read again; after a gap in the
 *  messages, all are. Long work runs in slices and takes effect when it is complete. */
export class ChannelRouting {
  readonly #deps: RoutingDeps
  readonly #reading = new SharedRun(() => this.#catchUp())
  readonly #unsubscribe: () => void
  readonly #known = new Map<number, Known>()
  #wanted: Set<number> | 'all' = new Set()
  #index = new ChannelIndex()
  /** The adapters for which the known channels were prepared. */
  #adapters: ReadonlyMap<number, Adapter> = new Map()

  /** It knows no channels until it is told to read them. */
  constructor(deps: RoutingDeps) {
    this.#deps = deps
    this.#unsubscribe = deps.cluster.subscribe(
      topic,
      (message) => this.#onAnnounced(message),
      () => this.reload(),
    )
  }

  index(): ChannelIndex {
    return this.#index
  }

  /** Reads the whole table. Rows that have not changed keep their objects. */
  reload(): Promise<void> {
    this.#wanted = 'all'
    return this.#reading.run()
  }

  /** Called when the adapters have changed: prepares their channels again, without reading the database. */
  async useAdapters(): Promise<void> {
    if (areSame(this.#adapters, adaptersByType(this.#deps.adapters()))) return
    await this.#reading.run()
  }

  /** Called after a committed change: reads the channels here, then tells the other nodes. */
  async changed(ids: readonly number[]): Promise<void> {
    await this.#read(ids)
    const announced: JsonObject = ids.length > MOST_IDS_ANNOUNCED ? {} : { ids: [...ids] }
    await this.#deps.cluster.publish(topic, { from: this.#deps.cluster.nodeId, ...announced })
  }

  /** Reads the whole table here and on the other nodes. */
  async changedAll(): Promise<void> {
    await this.reload()
    await this.#deps.cluster.publish(topic, { from: this.#deps.cluster.nodeId })
  }

  close(): void {
    this.#unsubscribe()
  }

  #onAnnounced({ from, ids }: JsonObject): void | Promise<void> {
    if (from === this.#deps.cluster.nodeId) return
    const isList = Array.isArray(ids) && ids.every((id) => Number.isSafeInteger(id))
    return isList ? this.#read(ids as number[]) : this.reload()
  }

  #read(ids: readonly number[]): Promise<void> {
    if (this.#wanted !== 'all') for (const id of ids) this.#wanted.add(id)
    return this.#reading.run()
  }

  async #catchUp(): Promise<void> {
    const wanted = this.#wanted
    this.#wanted = new Set()
    const adapterOf = adaptersByType(this.#deps.adapters())
    const found: Found = { changed: new Map(), gone: new Set() }
    try {
      if (wanted === 'all') await this.#readAll(adapterOf, found)
      else await this.#readSome([...wanted], adapterOf, found)
      if (!areSame(this.#adapters, adapterOf)) await this.#adopt(adapterOf, found)
      await this.#apply(found)
      this.#adapters = adapterOf
    } catch (error) {
      // The reading failed: the next caller must read everything.
      this.#wanted = 'all'
      throw error
    }
  }

  async #readAll(adapterOf: AdapterOf, found: Found): Promise<void> {
    for (const id of this.#known.keys()) found.gone.add(id)
    for (let after = 0; ; ) {
      const rows = await loadChannelsAfter(this.#deps.database, after, PAGE)
      await inSlices(this.#take(rows, adapterOf, found))
      const last = rows.at(-1)
      if (rows.length < PAGE || last === undefined) return
      after = last.id
    }
  }

  async #readSome(ids: readonly number[], adapterOf: AdapterOf, found: Found): Promise<void> {
    for (const id of ids) found.gone.add(id)
    for (let start = 0; start < ids.length; start += PAGE) {
      const rows = await loadChannels(this.#deps.database, ids.slice(start, start + PAGE))
      await inSlices(this.#take(rows, adapterOf, found))
    }
  }

  /** Prepares channels whose rows were not read but whose adapter has changed. */
  async #adopt(adapterOf: AdapterOf, found: Found): Promise<void> {
    const rows = [...this.#known.values()].flatMap(({ row }) =>
      found.gone.has(row.id) || found.changed.has(row.id) ? [] : [row],
    )
    await inSlices(this.#take(rows, adapterOf, found))
  }

  *#take(rows: Iterable<RoutingRow>, adapterOf: AdapterOf, { changed, gone }: Found) {
    for (const row of rows) {
      gone.delete(row.id)
      const adapter = adapterOf.get(row.type)
      const known = this.#known.get(row.id)
      if (known && known.adapter === adapter && isSame(known.row, row)) continue
      changed.set(row.id, { row, adapter, channel: this.#open(row, adapter, known) })
      yield
    }
  }

  /** Replaces the index in one step. */
  async #apply({ changed, gone }: Found): Promise<void> {
    if (changed.size + gone.size === 0) return
    const removed = [...gone]
    const put: RoutedChannel[] = []
    for (const [id, { channel }] of changed)
      if (channel) put.push(channel)
      else removed.push(id)
    const index = await this.#index.withMany({ put, removed })
    for (const id of gone) this.#known.delete(id)
    for (const [id, known] of changed) this.#known.set(id, known)
    this.#index = index
  }

  /** If a key cannot be decrypted because another master key wrote it, only its own channel is unusable. */
  #open(
    row: RoutingRow,
    adapter: Adapter | undefined,
    known: Known | undefined,
  ): RoutedChannel | undefined {
    try {
      const { secrets } = this.#deps
      const models = known?.row.models === row.models ? known.channel?.view.models : undefined
      const setting = openSetting(row.setting, adapter, secrets)
      return routedChannel({ ...row, setting }, secrets.decrypt(row.key), adapter, models)
    } catch (error) {
      this.#deps.log.error({ err: error, channelId: row.id }, 'channel key cannot be decrypted')
      return undefined
    }
  }
}

type AdapterOf = ReadonlyMap<number, Adapter>

/** The differences that a reading found; applied when the reading is complete. */
interface Found {
  changed: Map<number, Known>
  gone: Set<number>
}

function isSame(left: RoutingRow, right: RoutingRow): boolean {
  return routingColumns.every((column) => left[column] === right[column])
}

function areSame(left: AdapterOf, right: AdapterOf): boolean {
  if (left.size !== right.size) return false
  return [...right].every(([type, adapter]) => left.get(type) === adapter)
}

export function adaptersByType(adapters: readonly Adapter[]): Map<number, Adapter> {
  const byType = new Map<number, Adapter>()
  for (const adapter of adapters) {
    for (const type of Object.keys(adapter.channelTypes)) byType.set(Number(type), adapter)
  }
  return byType
}
