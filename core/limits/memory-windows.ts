import { LRUCache } from 'lru-cache'
import type { RateLimitService } from '../contract/services.ts'

type Verdict = Awaited<ReturnType<RateLimitService['take']>>

/** With 180 times a key, the widest of the address limits, this is about 30 MB at worst. The key unused for longest is forgotten first. */
const maxKeys = 20_000

/** Sliding windows of one process: for each key the times, in milliseconds, of what was let through, oldest first. */
export class MemoryWindows {
  readonly #times = new LRUCache<string, number[]>({ max: maxKeys })
  readonly #now: () => number

  /** @param now milliseconds of a clock that never goes back */
  constructor(now: () => number) {
    this.#now = now
  }

  judge(key: string, limit: number, windowSeconds: number, isCounted: boolean): Verdict {
    const now = this.#now()
    const windowMs = windowSeconds * 1000
    if (limit < 1) return { isAllowed: false, retryAfterSeconds: windowSeconds }
    const times = this.#times.get(key) ?? []
    const fresh = dropBefore(times, now - windowMs)
    const blocking = fresh[fresh.length - limit]
    if (blocking !== undefined) {
      return { isAllowed: false, retryAfterSeconds: Math.ceil((blocking + windowMs - now) / 1000) }
    }
    if (isCounted) {
      fresh.push(now)
      this.#times.set(key, fresh)
    } else if (fresh.length === 0) this.#times.delete(key)
    return { isAllowed: true, retryAfterSeconds: 0 }
  }

  /** Forgets the newest entry. */
  giveBack(key: string): void {
    this.#times.get(key)?.pop()
  }
}

/** Keeps what is younger than `start`; in place, for most calls drop nothing or very little. */
function dropBefore(times: number[], start: number): number[] {
  const old = times.findIndex((time) => time > start)
  if (old === -1) times.length = 0
  else if (old > 0) times.splice(0, old)
  return times
}
