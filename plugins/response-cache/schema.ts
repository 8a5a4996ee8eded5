export interface CacheDay {
  /** `YYYY-MM-DD` in UTC. */
  day: string
  hits: number
  misses: number
  /** In units: what the answers would have cost, minus what was charged for them. */
  saved: number
}

export interface CacheFigures {
  /** The last 30 days, the newest first; days without calls are left out. */
  days: CacheDay[]
  /** Entries in the cache of this node. */
  entries: number
  bytes: number
  most_bytes: number
}
