// Passes committed log rows to the log sinks of plugins, without delaying the calls that the rows belong to.
import type { LogRow } from '../contract/money-services.ts'
import type { LogSink } from '../contract/plugin.ts'
import type { Logger } from '../contract/services.ts'
import { atMostEvery } from '../kernel/at-most-every.ts'
import { withTimeout } from '../kernel/with-timeout.ts'

/** The most rows that may wait for one sink; it does not get further ones. */
export const mostWaitingRows = 10_000
const rowMs = 5_000
const endMs = 5_000
/** The shortest time between two log lines about one sink's faults. */
const quietMs = 60_000

export interface OwnedSink {
  owner: string
  entry: LogSink
}

interface Deps {
  log: Logger
  /** Of the current generation; undefined while the first one is made. */
  sinks: () => readonly OwnedSink[] | undefined
}

export class LogSinks {
  readonly #deps: Deps
  /** By registry entry, because two generations may have registered the same object. */
  readonly #queues = new WeakMap<OwnedSink, SinkQueue>()
  readonly #early: LogRow[] = []

  constructor(deps: Deps) {
    this.#deps = deps
  }

  get isEmpty(): boolean {
    return this.#deps.sinks()?.length === 0
  }

  /** How many rows wait for each sink. */
  waiting(): { owner: string; rows: number }[] {
    const sinks = this.#deps.sinks() ?? []
    return sinks.map((sink) => ({ owner: sink.owner, rows: this.#queueOf(sink).length }))
  }

  /** Queues the rows and returns at once. */
  publish(rows: readonly LogRow[]): void {
    const sinks = this.#deps.sinks()
    if (sinks === undefined)
      this.#early.push(...rows.slice(0, mostWaitingRows - this.#early.length))
    for (const sink of sinks ?? []) this.#queueOf(sink).add(rows)
  }

  /** Called when the first generation serves: passes on what was committed before, such as rows that an ended process had left. */
  begin(): void {
    this.publish(this.#early.splice(0))
  }

  /** Resolves when these sinks have got all that was waiting for them, or have been given up. */
  async end(sinks: readonly OwnedSink[]): Promise<void> {
    await Promise.all(sinks.map((sink) => this.#queueOf(sink).end()))
  }

  #queueOf(sink: OwnedSink): SinkQueue {
    const known = this.#queues.get(sink)
    if (known) return known
    const queue = new SinkQueue(sink, this.#deps.log)
    this.#queues.set(sink, queue)
    return queue
  }
}

class SinkQueue {
  readonly #sink: OwnedSink
  readonly #log: Logger
  #waiting: LogRow[] = []
  /** How many rows of the current round are left. */
  #left = 0
  #running: Promise<void> | undefined
  #isEnded = false
  #faults = 0
  readonly #isDue = atMostEvery(quietMs)

  constructor(sink: OwnedSink, log: Logger) {
    this.#sink = sink
    this.#log = log
  }

  /** How many rows wait. */
  get length(): number {
    return this.#waiting.length + this.#left
  }

  add(rows: readonly LogRow[]): void {
    // A commit may have no rows. A round without rows would end before it is marked as running, and would then seem to run for ever.
    if (this.#isEnded || rows.length === 0) return
    const room = mostWaitingRows - this.length
    this.#waiting.push(...rows.slice(0, room))
    if (rows.length > room) this.#blame(new Error('it is too slow: rows are not told'))
    this.#running ??= this.#run()
  }

  async end(): Promise<void> {
    try {
      await withTimeout(endMs, 'the rest of the log rows', this.#running)
    } catch (error) {
      this.#blame(error)
    }
    this.#isEnded = true
    this.#waiting = []
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      // After those who wait for the commit, because a sink may compute for long.
      await new Promise((resolve) => setImmediate(resolve))
      const rows = this.#waiting
      this.#waiting = []
      this.#left = rows.length
      for (const row of rows) {
        if (this.#isEnded) return
        await this.#write(row)
        this.#left -= 1
      }
    }
    this.#running = undefined
  }

  async #write(row: LogRow): Promise<void> {
    try {
      const writing = this.#sink.entry.write(row)
      if (writing) await withTimeout(rowMs, 'write()', writing)
    } catch (error) {
      this.#blame(error)
    }
  }

  #blame(error: unknown): void {
    this.#faults += 1
    if (!this.#isDue()) return
    const { owner, entry } = this.#sink
    this.#log.error(
      { err: error, plugin: owner, sink: entry.id, faults: this.#faults },
      'a log sink failed',
    )
  }
}
