import { LRUCache } from 'lru-cache'
import type { ClusterBus, DatabaseService, SecretService } from '../contract/services.ts'
import type { JsonObject } from '../contract/json.ts'
import { selectCaller, type CallerRow, type StoredCaller } from './caller-sql.ts'
import { userTopic } from './user-changes.ts'

export type { CallerRow }

/** Looks up live accounts for the guards; deleted ones are unknown. */
export interface Callers {
  byId(id: number): Promise<CallerRow | undefined>
  byAccessToken(token: string): Promise<CallerRow | undefined>
  close(): void
}

const CACHE_MS = 3000
/** Our tokens have 32 characters, imported ones up to 64; longer values need no query. */
const MAX_TOKEN_LENGTH = 128

export function createCallers(deps: {
  database: DatabaseService
  secrets: SecretService
  cluster: ClusterBus
  /** Milliseconds. */
  now?: () => number
}): Callers {
  const { database, secrets, cluster, now = Date.now } = deps
  const cache = new LRUCache<string, StoredCaller>({ max: 10_000, ttl: CACHE_MS })
  let drops = 0

  function drop({ userId }: JsonObject): void {
    drops += 1
    for (const [key, row] of cache.entries()) if (row.id === userId) cache.delete(key)
  }

  function dropAll(): void {
    drops += 1
    cache.clear()
  }

  async function load(column: 'id' | 'access_token', value: number | string) {
    const key = `${column}:${value}`
    const known = cache.get(key)
    if (known) return known
    // If a change arrives while the row is being read, the old row must not be cached.
    const dropsBefore = drops
    const row = await selectCaller(database, column, value)
    if (row && dropsBefore === drops) cache.set(key, row)
    return row
  }

  const unsubscribe = cluster.subscribe(userTopic, drop, dropAll)
  return {
    byId: (id) => load('id', id),
    async byAccessToken(token) {
      if (token.length > MAX_TOKEN_LENGTH) return undefined
      const row = await load('access_token', secrets.lookup('access-token', token))
      const endsAt = row?.access_token_expires_at ?? Infinity
      return endsAt * 1000 > now() ? row : undefined
    },
    close() {
      unsubscribe()
      cache.clear()
    },
  }
}
