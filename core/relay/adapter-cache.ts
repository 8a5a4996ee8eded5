import { LRUCache } from 'lru-cache'
import type { AdapterCache } from '../contract/adapter.ts'

/** Short-lived values of adapters (access tokens), shared by all requests; concurrent makers of one key share one call. */
export class AdapterCaches {
  readonly #values = new LRUCache<string, { value: unknown }>({ max: 5_000 })
  readonly #making = new Map<string, Promise<unknown>>()

  of(adapterId: string): AdapterCache {
    const name = (key: string) => `${adapterId}\0${key}`
    return {
      remember: (key, make) => this.#remember(name(key), make),
      forget: (key) => void this.#values.delete(name(key)),
    }
  }

  async #remember<T>(name: string, make: () => Promise<{ value: T; ttlMs: number }>): Promise<T> {
    const known = this.#values.get(name)
    if (known) return known.value as T
    const running = this.#making.get(name) as Promise<T> | undefined
    if (running) return running
    const making = make()
      .then(({ value, ttlMs }) => {
        if (ttlMs > 0) this.#values.set(name, { value }, { ttl: ttlMs })
        return value
      })
      .finally(() => this.#making.delete(name))
    this.#making.set(name, making)
    return making
  }
}
