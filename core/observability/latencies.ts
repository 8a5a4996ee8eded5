/** Upper bounds of the buckets in milliseconds; the last bucket has none. */
const LATENCY_BOUNDS_MS = [
  2, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000, 60_000, 300_000,
] as const
const BUCKETS = LATENCY_BOUNDS_MS.length + 1
/** The last minute is divided into this many slots. */
const SLOTS = 6
const SLOT_MS = 10_000

/** Durations of the last minute in buckets, whose memory does not depend on the number of calls. */
export class Latencies {
  readonly #now: () => number
  readonly #slots = Array.from({ length: SLOTS }, () => ({
    number: -1,
    counts: Array.from({ length: BUCKETS }, () => 0),
  }))

  /** @param now milliseconds of a clock that never goes back */
  constructor(now: () => number) {
    this.#now = now
  }

  add(milliseconds: number): void {
    const bucket = bucketOf(milliseconds)
    const number = Math.floor(this.#now() / SLOT_MS)
    const slot = this.#slots[number % SLOTS]
    if (slot === undefined) return
    if (slot.number !== number) {
      slot.number = number
      slot.counts.fill(0)
    }
    slot.counts[bucket] = (slot.counts[bucket] ?? 0) + 1
  }

  /** A quantile in milliseconds, as exact as the buckets are; null without values. */
  quantile(part: number): number | null {
    const oldest = Math.floor(this.#now() / SLOT_MS) - SLOTS + 1
    const recent = this.#slots.filter(({ number }) => number >= oldest)
    const sums = Array.from({ length: BUCKETS }, (_, at) =>
      recent.reduce((sum, { counts }) => sum + (counts[at] ?? 0), 0),
    )
    const total = sums.reduce((sum, count) => sum + count, 0)
    if (total === 0) return null
    let rest = total * part
    for (const [at, count] of sums.entries()) {
      if (rest <= count) return between(at, rest / count)
      rest -= count
    }
    return LATENCY_BOUNDS_MS.at(-1) ?? null
  }
}

function bucketOf(milliseconds: number): number {
  let at = 0
  while (at < LATENCY_BOUNDS_MS.length && milliseconds > (LATENCY_BOUNDS_MS[at] ?? 0)) at += 1
  return at
}

/** Values are assumed to be spread evenly within a bucket. */
function between(at: number, part: number): number {
  const lower = LATENCY_BOUNDS_MS[at - 1] ?? 0
  const upper = LATENCY_BOUNDS_MS[at] ?? lower
  return Math.round(lower + (upper - lower) * part)
}
