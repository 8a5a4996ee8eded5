import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Value } from '@sinclair/typebox/value'
import { hostName } from '../cluster/host-name.ts'
import { nodeFigures, type MonitoringService, type NodeFigures } from '../contract/monitoring.ts'
import type { ClusterBus } from '../contract/services.ts'
import type { CallFigures } from './call-figures.ts'

const topic = 'node-figures'
const ANNOUNCE_EVERY_MS = 5_000
/** A process that has sent nothing for this time is taken for gone. */
const KEPT_MS = 20_000
const NANOSECONDS_A_MS = 1e6

/** Figures that other parts of this process provide. */
export interface NodeFacts {
  inFlight(): number
  generation(): number
  realtimeSessions(): number
  ledger(): { waiting: number; commitMs: number; isAway: boolean }
  /** Whether nothing can be heard of the other processes. */
  isBusAway(): boolean
}

interface NodesDeps {
  cluster: ClusterBus
  calls: CallFigures
  version: string
  facts: NodeFacts
  now?: () => number
  /** Milliseconds of a clock that never goes back. */
  steadyNow?: () => number
}

/** The processes that serve one database. They send each other their figures; nothing is stored. */
export class Nodes implements MonitoringService {
  readonly #deps: NodesDeps
  readonly #now: () => number
  readonly #steadyNow: () => number
  readonly #others = new Map<string, { figures: NodeFigures; heardAtMs: number }>()
  readonly #delay = monitorEventLoopDelay({ resolution: 10 })
  readonly #startedAt: number
  /** Since when all others can be heard, by the steady clock. */
  #hearsSinceMs: number
  readonly #disposers: (() => void)[]
  #isServing = false
  #eventLoopMs = 0
  #rssBytes = 0

  constructor(deps: NodesDeps) {
    this.#deps = deps
    this.#now = deps.now ?? Date.now
    this.#steadyNow = deps.steadyNow ?? (() => performance.now())
    this.#startedAt = Math.floor(this.#now() / 1_000)
    this.#hearsSinceMs = this.#steadyNow()
    this.#delay.enable()
    const timer = setInterval(() => this.announce(), ANNOUNCE_EVERY_MS)
    timer.unref()
    this.#disposers = [
      () => clearInterval(timer),
      () => this.#delay.disable(),
      deps.cluster.subscribe(
        topic,
        (message) => this.#hear(message),
        () => this.#hearAnew(),
      ),
    ]
  }

  /** From now on others count this process. One whose start fails, or that runs a command, never serves. */
  begin(): void {
    this.#isServing = true
    this.announce()
  }

  close(): void {
    for (const dispose of this.#disposers.splice(0)) dispose()
  }

  nodes(): NodeFigures[] {
    this.#forgetOld()
    // `told_at` is by the clock of this machine: clocks of two machines differ, and what counts is how long a process
    // has been silent.
    const awayMs = this.#now() - this.#steadyNow()
    const others = [...this.#others.values()].map(({ figures, heardAtMs }) => ({
      ...figures,
      told_at: Math.floor((awayMs + heardAtMs) / 1_000),
    }))
    return [this.#own(), ...others.sort((left, right) => left.started_at - right.started_at)]
  }

  /** The ids of the other processes; undefined while some may not have told of themselves yet, or cannot. */
  others(): readonly string[] | undefined {
    const hasHeardAll = this.#steadyNow() - this.#hearsSinceMs >= 2 * ANNOUNCE_EVERY_MS
    if (!hasHeardAll || this.#deps.facts.isBusAway()) return undefined
    this.#forgetOld()
    return [...this.#others.keys()]
  }

  /** Sends the figures of this process. It also ends the interval for which the delay of the event loop is measured. */
  announce(): void {
    this.#eventLoopMs = this.#delay.percentile(99) / NANOSECONDS_A_MS
    this.#delay.reset()
    if (!this.#isServing) return
    // A lost message does no harm, since the next one follows soon.
    void this.#deps.cluster.publish(topic, this.#own()).catch(() => undefined)
  }

  /** After a gap, in which those that could not be heard were forgotten. */
  #hearAnew(): void {
    this.#hearsSinceMs = this.#steadyNow()
    this.announce()
  }

  #hear(message: unknown): void {
    if (!Value.Check(nodeFigures, message) || message.id === this.#deps.cluster.nodeId) return
    this.#others.set(message.id, { figures: message, heardAtMs: this.#steadyNow() })
    // Done with each message, even if nobody looks at the figures, because each restarted process has a new name.
    this.#forgetOld()
  }

  #forgetOld(): void {
    const oldest = this.#steadyNow() - KEPT_MS
    for (const [id, { heardAtMs }] of this.#others) if (heardAtMs < oldest) this.#others.delete(id)
  }

  #own(): NodeFigures {
    const { cluster, calls, version, facts } = this.#deps
    const { waiting, commitMs, isAway } = facts.ledger()
    return {
      id: cluster.nodeId,
      host: hostName(),
      version,
      started_at: this.#startedAt,
      told_at: Math.floor(this.#now() / 1_000),
      ...calls.recent(),
      duration_p50_ms: calls.durations.quantile(0.5),
      duration_p95_ms: calls.durations.quantile(0.95),
      first_byte_p50_ms: calls.firstBytes.quantile(0.5),
      first_byte_p95_ms: calls.firstBytes.quantile(0.95),
      in_flight: facts.inFlight(),
      realtime_sessions: facts.realtimeSessions(),
      ledger_waiting: waiting,
      ledger_commit_ms: tenths(commitMs),
      is_database_away: isAway,
      event_loop_p99_ms: tenths(this.#eventLoopMs),
      rss_bytes: this.#residentBytes(),
      generation: facts.generation(),
    }
  }

  /** Reading the file fails when clients have taken all file descriptors of the process. The last value is used then. */
  #residentBytes(): number {
    try {
      this.#rssBytes = process.memoryUsage.rss()
    } catch {}
    return this.#rssBytes
  }
}

function tenths(value: number): number {
  return Number.isFinite(value) ? Math.round(value * 10) / 10 : 0
}
