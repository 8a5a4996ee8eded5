import type { EventBus, RelaySettled } from '../../contract/events.ts'
import type { RecentChannelHealth } from '../../contract/channel-services.ts'
import type { FailureClass } from '../../contract/errors.ts'
import type { JsonObject } from '../../contract/json.ts'
import type { ClusterBus, Logger } from '../../contract/services.ts'

const topic = 'channel-health'
const MINUTES = 60
const PUBLISH_EVERY_MS = 15_000
/** A message on the bus holds at most 4 kB. */
const COUNTS_A_MESSAGE = 10
const LONGEST_MESSAGE = 160
/** The weight of the newest answer in the running mean. */
const NEWEST_SHARE = 0.2

/** Errors that the caller causes say nothing about the channel. */
const callersFaults: ReadonlySet<FailureClass> = new Set(['bad-request', 'content'])

interface Count {
  succeeded: number
  failed: number
}

/** The counts of a channel by node and minute. */
interface LastHour {
  counts: Map<string, Count>
  /** The minute in which counts older than an hour were last removed. */
  sweptInMinute: number
  /** This node's newest count. */
  own: OwnCount | undefined
}

interface OwnCount {
  minute: number
  count: Count
  /** Of the channel and the minute. */
  name: string
}

/** Milliseconds. */
interface Speed {
  firstByteMs: number
  durationMs: number
}

interface LastError {
  failure_class: string
  message: string
  time: number
}

interface RecentHealthDeps {
  cluster: ClusterBus
  events: EventBus
  log: Logger
  now: () => Date
}

/** Counts in memory how the attempts of the last hour went, by channel and minute. Each node sends the others its total
 *  for a minute rather than increments: a message that arrives twice changes nothing, and one that is lost is corrected
 *  by the next. */
export class RecentHealth {
  readonly #deps: RecentHealthDeps
  /** By channel. */
  readonly #hours = new Map<number, LastHour>()
  readonly #speeds = new Map<number, Speed>()
  readonly #lastErrors = new Map<number, LastError>()
  /** Own counts that have changed since the other nodes were told. */
  readonly #unpublished = new Set<string>()
  readonly #disposers: (() => void)[]

  constructor(deps: RecentHealthDeps) {
    this.#deps = deps
    const timer = setInterval(() => void this.publish(), PUBLISH_EVERY_MS)
    timer.unref()
    this.#disposers = [
      () => clearInterval(timer),
      deps.events.on('relay.settled', (call) => {
        // Channel 0 means that no channel was called.
        if (call.status >= 400 || call.channelId === 0) return
        this.#count(call.channelId, 'succeeded')
        this.#noteSpeed(call)
      }),
      deps.cluster.subscribe(
        topic,
        (message) => this.#hear(message),
        () => undefined,
      ),
    ]
  }

  close(): void {
    for (const dispose of this.#disposers.splice(0)) dispose()
  }

  /** @param message must not contain keys */
  failed(channelId: number, failureClass: FailureClass, message: string): void {
    if (callersFaults.has(failureClass)) return
    this.#count(channelId, 'failed')
    this.#lastErrors.set(channelId, {
      failure_class: failureClass,
      message: message.slice(0, LONGEST_MESSAGE),
      time: Math.floor(this.#deps.now().getTime() / 1000),
    })
  }

  of(channelId: number): RecentChannelHealth {
    const total = { succeeded: 0, failed: 0 }
    for (const count of this.#recent(channelId)?.counts.values() ?? []) {
      total.succeeded += count.succeeded
      total.failed += count.failed
    }
    return { ...total, last_error: total.failed > 0 ? this.#lastErrorOf(channelId) : null }
  }

  /** The mean of this node's answers, in which newer ones weigh more; undefined if there were none. */
  speedOf(channelId: number): Speed | undefined {
    return this.#speeds.get(channelId)
  }

  #noteSpeed({ channelId, durationMs, firstByteMs = durationMs }: RelaySettled): void {
    const known = this.#speeds.get(channelId)
    if (!known) return void this.#speeds.set(channelId, { firstByteMs, durationMs })
    known.firstByteMs += (firstByteMs - known.firstByteMs) * NEWEST_SHARE
    known.durationMs += (durationMs - known.durationMs) * NEWEST_SHARE
  }

  /** The channels with the most failed attempts of the last hour, worst first. */
  failing(most: number): ({ id: number } & RecentChannelHealth)[] {
    return [...this.#hours.keys()]
      .map((id) => ({ id, ...this.of(id) }))
      .filter(({ failed }) => failed > 0)
      .sort((left, right) => right.failed - left.failed)
      .slice(0, most)
  }

  /** Sends the counts that have changed here to the other nodes. */
  async publish(): Promise<void> {
    const entries = [...this.#unpublished].map((key) => this.#entry(key))
    this.#unpublished.clear()
    for (let from = 0; from < entries.length; from += COUNTS_A_MESSAGE) {
      const counts = entries.slice(from, from + COUNTS_A_MESSAGE)
      await this.#deps.cluster
        .publish(topic, { node: this.#deps.cluster.nodeId, counts })
        .catch((error: unknown) => this.#deps.log.warn({ err: error }, 'channel health not told'))
    }
  }

  #count(channelId: number, outcome: keyof Count): void {
    const minute = this.#minute()
    const known = this.#hours.get(channelId)?.own
    const own = known?.minute === minute ? known : this.#beginMinute(channelId, minute)
    own.count[outcome]++
    this.#unpublished.add(own.name)
  }

  #beginMinute(channelId: number, minute: number): OwnCount {
    const hour = this.#recent(channelId) ?? this.#begin(channelId)
    const count = { succeeded: 0, failed: 0 }
    hour.counts.set(`${this.#deps.cluster.nodeId} ${minute}`, count)
    hour.own = { minute, count, name: `${channelId} ${minute}` }
    return hour.own
  }

  #entry(key: string): JsonObject {
    const [channel = 0, minute = 0] = key.split(' ').map(Number)
    const count = this.#recent(channel)?.counts.get(`${this.#deps.cluster.nodeId} ${minute}`)
    return { channel, minute, ...count, error: { ...this.#lastErrorOf(channel) } }
  }

  #hear({ node, counts: entries }: JsonObject): void {
    if (typeof node !== 'string' || node === this.#deps.cluster.nodeId) return
    for (const entry of (Array.isArray(entries) ? entries : []) as JsonObject[]) {
      const { channel, minute, succeeded = 0, failed = 0, error } = entry
      if (typeof channel !== 'number' || this.#isOld(Number(minute))) continue
      const { counts } = this.#recent(channel) ?? this.#begin(channel)
      counts.set(`${node} ${Number(minute)}`, {
        succeeded: Number(succeeded),
        failed: Number(failed),
      })
      const newest = error as LastError
      if (newest.time > (this.#lastErrors.get(channel)?.time ?? 0)) {
        this.#lastErrors.set(channel, newest)
      }
    }
  }

  /** Undefined if nothing was counted in the last hour. Old counts are looked for once a minute, because each call counts. */
  #recent(channelId: number): LastHour | undefined {
    const hour = this.#hours.get(channelId)
    const minute = this.#minute()
    if (hour === undefined || hour.sweptInMinute === minute) return hour
    hour.sweptInMinute = minute
    for (const key of hour.counts.keys()) {
      if (this.#isOld(Number(key.slice(key.lastIndexOf(' '))))) hour.counts.delete(key)
    }
    if (hour.counts.size > 0) return hour
    this.#hours.delete(channelId)
    this.#lastErrors.delete(channelId)
    return undefined
  }

  #begin(channelId: number): LastHour {
    const counts = new Map<string, Count>()
    const hour = { counts, sweptInMinute: this.#minute(), own: undefined }
    this.#hours.set(channelId, hour)
    return hour
  }

  #lastErrorOf(channelId: number): LastError | null {
    return this.#lastErrors.get(channelId) ?? null
  }

  /** One that is yet to come is from before the clock was set back. */
  #isOld(minute: number): boolean {
    return Math.abs(this.#minute() - minute) >= MINUTES
  }

  #minute(): number {
    return Math.floor(this.#deps.now().getTime() / 60_000)
  }
}
