export interface CacheDay {
  /** `YYYY-MM-DD` in UTC. */
  day: string
  hits: number
  misses: number
  /** Units: what the answers would have cost, without what was charged for them. */
  saved: number
}

export interface CacheFigures {
  /** The last 30 days, the newest first; days without calls are left out. */
  days: CacheDay[]
  /** Kept on this node now. */
  entries: number
  bytes: number
  most_bytes: number
}
