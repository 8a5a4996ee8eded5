import { LRUCache } from 'lru-cache'
import type { AdapterCache } from '../../contract/adapter.ts'

interface Made<T> {
  value: T
  ttlMs: number
  renewMs?: number
}

interface Kept {
  value: unknown
  /** By performance.now(). */
  renewAt: number
}

/** Short-lived values of adapters (access tokens), shared by all requests; concurrent makers of one key share one call. */
export class AdapterCaches {
  readonly #values = new LRUCache<string, Kept>({ max: 5_000 })
  readonly #making = new Map<string, Promise<unknown>>()

  of(adapterId: string): AdapterCache {
    const name = (key: string) => `${adapterId}\0${key}`
    return {
      remember: (key, make) => this.#remember(name(key), make),
      forget: (key) => void this.#values.delete(name(key)),
    }
  }

  async #remember<T>(name: string, make: () => Promise<Made<T>>): Promise<T> {
    const known = this.#values.get(name)
    // A renewal that fails is tried again by the next call; the old value serves until its end.
    if (known && performance.now() >= known.renewAt) this.#make(name, make).catch(() => undefined)
    return known ? (known.value as T) : this.#make(name, make)
  }

  #make<T>(name: string, make: () => Promise<Made<T>>): Promise<T> {
    const running = this.#making.get(name) as Promise<T> | undefined
    if (running) return running
    const making = make()
      .then(({ value, ttlMs, renewMs }) => {
        const renewAt = renewMs === undefined ? Infinity : performance.now() + ttlMs - renewMs
        if (ttlMs > 0) this.#values.set(name, { value, renewAt }, { ttl: ttlMs })
        return value
      })
      .finally(() => this.#making.delete(name))
    this.#making.set(name, making)
    return making
  }
}
