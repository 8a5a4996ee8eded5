import type { DatabaseService } from '#core'
import { sumHours } from './hour-sums-report.ts'
import type { Sums } from './schema.ts'

const hourSeconds = 3_600
const hoursOfDay = 24
/** A row may be written some time after its hour has ended. */
const settlingSeconds = 300
/** How long an answer is reused for everybody who asks. */
const freshMs = 3_000
/** The number of kept hours: of all time zones, and of the users who looked last. */
const keptSpans = 400

interface Span {
  /** Sums by hour, of complete hours only. */
  hours: Map<number, Sums>
  /** `untilMs` is by a clock that is never set. */
  lately: { untilMs: number; end: number; sums: Promise<Sums[]> } | undefined
}

const nothing: Sums = { quota: 0, calls: 0, errors: 0 }

/** Sums the log by hours. Complete hours are read once and kept, so an answer reads only the rows since then, by the
 *  index on time (all users) or on user and id (one user). */
export class HourSums {
  readonly #database: DatabaseService
  readonly #spans = new Map<string, Span>()
  /** How far the time of day is ahead of a clock that is never set. */
  #aheadMs = -Infinity

  constructor({ database }: { database: DatabaseService }) {
    this.#database = database
  }

  /** Sums for consecutive days of 24 hours from `start`, of one user or of all. */
  async days(start: number, count: number, userId?: number): Promise<Sums[]> {
    this.#forgetIfSetBack()
    // Hours begin with the caller's day, which in some countries is a quarter of an hour beside the others.
    const span = this.#spanOf(`${userId ?? 'all'}:${start % hourSeconds}`)
    const end = start + count * hoursOfDay * hourSeconds
    const hours = await this.#hoursBetween(span, start, end, userId)
    return Array.from({ length: count }, (_day, day) =>
      hours.slice(day * hoursOfDay, (day + 1) * hoursOfDay).reduce(plus, nothing),
    )
  }

  /** Hours that were over may get rows again. */
  #forgetIfSetBack(): void {
    const nowAhead = Date.now() - performance.now()
    const isSetBack = nowAhead < this.#aheadMs - settlingSeconds * 1_000
    if (isSetBack) this.#spans.clear()
    this.#aheadMs = isSetBack ? nowAhead : Math.max(this.#aheadMs, nowAhead)
  }

  #spanOf(key: string): Span {
    const span = this.#spans.get(key) ?? { hours: new Map(), lately: undefined }
    this.#spans.delete(key)
    this.#spans.set(key, span)
    const [oldest] = this.#spans.keys()
    if (this.#spans.size > keptSpans && oldest !== undefined) this.#spans.delete(oldest)
    return span
  }

  #hoursBetween(span: Span, start: number, end: number, userId?: number): Promise<Sums[]> {
    const { lately } = span
    if (lately && lately.end === end && lately.untilMs > performance.now()) return lately.sums
    const sums = this.#readHours(span, start, end, userId)
    span.lately = { untilMs: performance.now() + freshMs, end, sums }
    sums.catch(() => (span.lately = undefined))
    return sums
  }

  async #readHours({ hours }: Span, start: number, end: number, userId?: number): Promise<Sums[]> {
    const over = Math.floor(Date.now() / 1000) - settlingSeconds
    for (const hour of hours.keys()) if (hour < start) hours.delete(hour)
    let from = start
    while (from < end && hours.has(from)) from += hourSeconds
    const read = await sumHours(this.#database, { start: from, end, userId })
    for (let hour = from; hour + hourSeconds <= over && hour < end; hour += hourSeconds) {
      hours.set(hour, read.get(hour) ?? nothing)
    }
    const count = (end - start) / hourSeconds
    return Array.from({ length: count }, (_hour, at) => {
      const hour = start + at * hourSeconds
      return read.get(hour) ?? hours.get(hour) ?? nothing
    })
  }
}

function plus(a: Sums, b: Sums): Sums {
  return { quota: a.quota + b.quota, calls: a.calls + b.calls, errors: a.errors + b.errors }
}
