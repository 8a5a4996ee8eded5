import { setImmediate as breathe } from 'node:timers/promises'
import type { Adapter } from '../contract/adapter.ts'
import type { JsonObject } from '../contract/json.ts'
import type { ClusterBus, DatabaseService, Logger, SecretService } from '../contract/services.ts'
import { SharedRun } from '../kernel/shared-run.ts'
import { ChannelIndex } from './channel-index.ts'
import { routedChannel, type RoutedChannel } from './routed-channel.ts'
import { loadChannels, loadChannelsAfter, routingColumns, type RoutingRow } from './routing-sql.ts'
import { openSetting } from './setting-secrets.ts'

const topic = 'channels'
/** Rows that are read and opened before others get their turn: some milliseconds of work. */
const SLICE = 200
/** Channels that join the index before others get their turn. */
const JOINING = 40
/** A message with more ids would be larger than the bus carries; the others then read all. */
const MOST_IDS_TOLD = 300

export interface RoutingDeps {
  database: DatabaseService
  secrets: SecretService
  cluster: ClusterBus
  adapters: () => readonly Adapter[]
  log: Logger
}

/** A channel as it was read last. */
interface Known {
  row: RoutingRow
  adapter: Adapter | undefined
  /** Undefined when its key cannot be opened. */
  channel: RoutedChannel | undefined
}

/** Keeps the current index true on every node: after a change its channels are read anew, after a gap all are, in slices. */
export class ChannelRouting {
  readonly #deps: RoutingDeps
  readonly #reading = new SharedRun(() => this.#catchUp())
  readonly #unsubscribe: () => void
  readonly #known = new Map<number, Known>()
  #wanted: Set<number> | 'all' = new Set()
  #index = new ChannelIndex()

  private constructor(deps: RoutingDeps) {
    this.#deps = deps
    this.#unsubscribe = deps.cluster.subscribe(
      topic,
      (message) => this.#told(message),
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

  /** Reads the whole table; what is as it was stays. */
  reload(): Promise<void> {
    this.#wanted = 'all'
    return this.#reading.run()
  }

  /** After a committed change: reads the channels here, then tells the other nodes. */
  async changed(ids: readonly number[]): Promise<void> {
    await this.#read(ids)
    const told: JsonObject = ids.length > MOST_IDS_TOLD ? {} : { ids: [...ids] }
    await this.#deps.cluster.publish(topic, { from: this.#deps.cluster.nodeId, ...told })
  }

  /** Reads the whole table here and on the other nodes. */
  async changedAll(): Promise<void> {
    await this.reload()
    await this.#deps.cluster.publish(topic, { from: this.#deps.cluster.nodeId })
  }

  close(): void {
    this.#unsubscribe()
  }

  #told({ from, ids }: JsonObject): void | Promise<void> {
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
    try {
      if (wanted === 'all') await this.#readAll()
      else await this.#readSome([...wanted])
    } catch (error) {
      // What was asked for is still owed to whoever comes next.
      this.#wanted = 'all'
      throw error
    }
  }

  async #readAll(): Promise<void> {
    const gone = new Set(this.#known.keys())
    const adapterOf = adaptersByType(this.#deps.adapters())
    const found: Found = { changed: [], gone: [] }
    for (let after = 0; ; ) {
      const rows = await loadChannelsAfter(this.#deps.database, after, SLICE)
      for (const row of rows) {
        gone.delete(row.id)
        this.#take(row, adapterOf, found)
      }
      const last = rows.at(-1)
      if (rows.length < SLICE || last === undefined) break
      after = last.id
      await breathe()
    }
    found.gone.push(...gone)
    await this.#apply(found)
  }

  async #readSome(ids: readonly number[]): Promise<void> {
    const adapterOf = adaptersByType(this.#deps.adapters())
    const found: Found = { changed: [], gone: [] }
    for (let start = 0; start < ids.length; start += SLICE) {
      if (start > 0) await breathe()
      const slice = ids.slice(start, start + SLICE)
      const rows = await loadChannels(this.#deps.database, slice)
      const gone = new Set(slice)
      for (const row of rows) {
        gone.delete(row.id)
        this.#take(row, adapterOf, found)
      }
      found.gone.push(...gone)
    }
    await this.#apply(found)
  }

  #take(row: RoutingRow, adapterOf: Map<number, Adapter>, { changed }: Found): void {
    const adapter = adapterOf.get(row.type)
    const known = this.#known.get(row.id)
    if (known && known.adapter === adapter && isSame(known.row, row)) return
    changed.push({ row, adapter, channel: this.#open(row, adapter) })
  }

  /** All at once for whoever asks, though made in slices. */
  async #apply({ changed, gone }: Found): Promise<void> {
    if (changed.length + gone.length === 0) return
    const removed = [...gone, ...changed.flatMap(({ row, channel }) => (channel ? [] : [row.id]))]
    const put = changed.flatMap(({ channel }) => channel ?? [])
    let index = this.#index.with({ put: [], removed })
    for (let start = 0; start < put.length; start += JOINING) {
      if (start > 0) await breathe()
      index = index.with({ put: put.slice(start, start + JOINING), removed: [] })
    }
    for (const id of gone) this.#known.delete(id)
    for (const known of changed) this.#known.set(known.row.id, known)
    this.#index = index
  }

  /** A key that cannot be opened (another master key wrote it) takes out its own channel only. */
  #open(row: RoutingRow, adapter: Adapter | undefined): RoutedChannel | undefined {
    try {
      const { secrets } = this.#deps
      const setting = openSetting(row.setting, adapter, secrets)
      return routedChannel({ ...row, setting }, secrets.decrypt(row.key), adapter)
    } catch (error) {
      this.#deps.log.error({ channelId: row.id, error }, 'channel key cannot be decrypted')
      return undefined
    }
  }
}

/** What a reading found different; it counts when all of it was read. */
interface Found {
  changed: Known[]
  gone: number[]
}

function isSame(left: RoutingRow, right: RoutingRow): boolean {
  return routingColumns.every((column) => left[column] === right[column])
}

export function adaptersByType(adapters: readonly Adapter[]): Map<number, Adapter> {
  const byType = new Map<number, Adapter>()
  for (const adapter of adapters) {
    for (const type of Object.keys(adapter.channelTypes)) byType.set(Number(type), adapter)
  }
  return byType
}
