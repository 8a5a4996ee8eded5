import type { EventBus, RelaySettled } from '../contract/events.ts'
import { Latencies } from './latencies.ts'

const SECONDS = 60

interface Second {
  at: number
  calls: number
  failed: number
  tokens: number
  units: number
}

/** Sums over all calls of the last minute. */
export interface RecentCalls {
  calls: number
  /** Calls answered with 429 or 5xx. */
  failed: number
  tokens: number
  units: number
}

/** Counts the calls of the relay, since the start and in the last minute. Counting needs no look-up. */
export class CallFigures {
  /** Calls by the status sent to the client. */
  readonly byStatus = new Map<number, number>()
  /** Failed attempts by the class of their failure, including those of calls that another channel answered. */
  readonly failedAttempts = new Map<string, number>()
  units = 0
  promptTokens = 0
  completionTokens = 0
  readonly durations: Latencies
  readonly firstBytes: Latencies
  readonly #seconds: Second[] = Array.from({ length: SECONDS }, () => newSecond(-1))
  readonly #now: () => number
  readonly #disposers: (() => void)[]

  /** @param now milliseconds of a clock that never goes back */
  constructor(events: EventBus, now: () => number = () => performance.now()) {
    this.#now = now
    this.durations = new Latencies(now)
    this.firstBytes = new Latencies(now)
    this.#disposers = [
      events.on('relay.settled', (call) => this.#settled(call)),
      events.on('relay.refused', ({ status }) => void this.#count(status)),
      events.on('attempt.failed', ({ failureClass }) => this.#failed(failureClass)),
    ]
  }

  close(): void {
    for (const dispose of this.#disposers.splice(0)) dispose()
  }

  /** Sums over the last sixty seconds. */
  recent(): RecentCalls {
    const oldest = Math.floor(this.#now() / 1_000) - SECONDS + 1
    const sum = { calls: 0, failed: 0, tokens: 0, units: 0 }
    for (const second of this.#seconds) {
      if (second.at < oldest) continue
      sum.calls += second.calls
      sum.failed += second.failed
      sum.tokens += second.tokens
      sum.units += second.units
    }
    return sum
  }

  #failed(failureClass: string): void {
    const before = this.failedAttempts.get(failureClass) ?? 0
    this.failedAttempts.set(failureClass, before + 1)
  }

  #settled(call: RelaySettled): void {
    const second = this.#count(call.status)
    const tokens = call.promptTokens + call.completionTokens
    second.tokens += tokens
    second.units += call.units
    this.units += call.units
    this.promptTokens += call.promptTokens
    this.completionTokens += call.completionTokens
    this.durations.add(call.durationMs)
    if (call.firstByteMs !== undefined) this.firstBytes.add(call.firstByteMs)
  }

  #count(status: number): Second {
    this.byStatus.set(status, (this.byStatus.get(status) ?? 0) + 1)
    const at = Math.floor(this.#now() / 1_000)
    let second = this.#seconds[at % SECONDS]
    if (second?.at !== at) this.#seconds[at % SECONDS] = second = newSecond(at)
    second.calls += 1
    if (status >= 500 || status === 429) second.failed += 1
    return second
  }
}

function newSecond(at: number): Second {
  return { at, calls: 0, failed: 0, tokens: 0, units: 0 }
}
