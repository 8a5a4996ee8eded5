import type { DatabaseService, Logger } from '#core'
import { addDay, daysSince, dropDaysBefore } from './figures-sql.ts'
import type { CacheDay } from './schema.ts'

const DAY_MS = 86_400_000
const SHOWN_DAYS = 30
const KEPT_DAYS = 400

/** Hits, misses and savings per UTC day. Calls are counted in memory; the sums are written in batches. */
export class Figures {
  readonly #deps: { database: DatabaseService; log: Logger }
  #waiting = new Map<string, CacheDay>()
  /** One at a time, in order. */
  #writing: Promise<void> = Promise.resolve()

  constructor(deps: { database: DatabaseService; log: Logger }) {
    this.#deps = deps
  }

  hit(savedUnits: number): void {
    const day = this.#today()
    day.hits += 1
    day.saved += savedUnits
  }

  miss(): void {
    this.#today().misses += 1
  }

  /** Writes the counts. Those that could not be written are written by the next flush. */
  flush(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#write())
    return this.#writing
  }

  async sweep(): Promise<void> {
    await dropDaysBefore(this.#deps.database, dayOf(Date.now() - KEPT_DAYS * DAY_MS))
  }

  async days(): Promise<CacheDay[]> {
    await this.flush()
    return daysSince(this.#deps.database, dayOf(Date.now() - (SHOWN_DAYS - 1) * DAY_MS))
  }

  #today(): CacheDay {
    const day = dayOf(Date.now())
    const waiting = this.#waiting.get(day)
    if (waiting) return waiting
    const fresh = { day, hits: 0, misses: 0, saved: 0 }
    this.#waiting.set(day, fresh)
    return fresh
  }

  async #write(): Promise<void> {
    for (const day of this.#waiting.values()) {
      this.#waiting.delete(day.day)
      try {
        await addDay(this.#deps.database, day)
      } catch (error) {
        this.#deps.log.warn(
          { err: error },
          'the figures of the response cache could not be written',
        )
        const since = this.#waiting.get(day.day)
        this.#waiting.set(day.day, {
          day: day.day,
          hits: day.hits + (since?.hits ?? 0),
          misses: day.misses + (since?.misses ?? 0),
          saved: day.saved + (since?.saved ?? 0),
        })
        return
      }
    }
  }
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}
