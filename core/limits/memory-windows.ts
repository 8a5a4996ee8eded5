import { LRUCache } from 'lru-cache'

export interface Verdict {
  isAllowed: boolean
  retryAfterSeconds: number
  /** When a counted call was counted, in the milliseconds of the clock that counts. */
  at?: number | undefined
}

/** At worst 30 MB, with 180 times per key, the largest of the address limits. The least recently used key is forgotten first. */
const maxKeys = 20_000

/** Sliding windows of one process: for each key the times of admitted requests in milliseconds, oldest first. */
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
      return { isAllowed: true, retryAfterSeconds: 0, at: now }
    }
    if (fresh.length === 0) this.#times.delete(key)
    return { isAllowed: true, retryAfterSeconds: 0 }
  }

  /** Removes an entry of that time, or the newest one if none is given. */
  giveBack(key: string, at?: number): void {
    const times = this.#times.get(key)
    const place = times && (at === undefined ? times.length - 1 : times.lastIndexOf(at))
    if (place !== undefined && place >= 0) times?.splice(place, 1)
  }
}

/** Removes entries older than `start`, in place, because most calls remove few or none. */
function dropBefore(times: number[], start: number): number[] {
  const old = times.findIndex((time) => time > start)
  if (old === -1) times.length = 0
  else if (old > 0) times.splice(0, old)
  return times
}
