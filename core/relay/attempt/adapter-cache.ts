import { LRUCache } from 'lru-cache'
import type { AdapterCache } from '../../contract/adapter.ts'

interface Made<T> {
  value: T
  ttlMs: number
  renewMs?: number
}

interface Kept {
  value: unknown
  /** Compared with performance.now(). */
  renewAt: number
}

/** Caches short-lived values of adapters, such as access tokens, for all requests. Concurrent requests for one key share one call. */
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
    if (known) {
      // If the renewal fails, the old value stays in use until it expires, and the next call tries again.
      if (performance.now() >= known.renewAt) this.#make(name, make).catch(() => undefined)
      return known.value as T
    }
    const running = this.#making.get(name) as Promise<T> | undefined
    // The call that makes the value may have been given up, for reasons that do not concern this one.
    return running ? running.catch(() => this.#make(name, make)) : this.#make(name, make)
  }

  #make<T>(name: string, make: () => Promise<Made<T>>): Promise<T> {
    const running = this.#making.get(name) as Promise<T> | undefined
    if (running) return running
    const making = this.#made(name, make).finally(() => this.#making.delete(name))
    this.#making.set(name, making)
    return making
  }

  async #made<T>(name: string, make: () => Promise<Made<T>>): Promise<T> {
    const { value, ttlMs, renewMs } = await make()
    const renewAt = renewMs === undefined ? Infinity : performance.now() + ttlMs - renewMs
    if (ttlMs > 0) this.#values.set(name, { value, renewAt }, { ttl: ttlMs })
    return value
  }
}
