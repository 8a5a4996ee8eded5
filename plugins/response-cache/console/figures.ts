import { useData } from '#console'
import type { CacheDay, CacheFigures } from '../schema.ts'

const everyMs = 15_000

export function useCacheFigures() {
  return useData<CacheFigures>('/api/response-cache/', { refetchEveryMs: everyMs })
}

type Sums = Pick<CacheDay, 'hits' | 'misses' | 'saved'>

/** The sums of the last `count` days in UTC, today included. */
export function sumsOf({ days }: CacheFigures, count: number, nowMs = Date.now()): Sums {
  const first = new Date(nowMs - (count - 1) * 86_400_000).toISOString().slice(0, 10)
  return days
    .filter(({ day }) => day >= first)
    .reduce(
      (sum, { hits, misses, saved }) => ({
        hits: sum.hits + hits,
        misses: sum.misses + misses,
        saved: sum.saved + saved,
      }),
      { hits: 0, misses: 0, saved: 0 },
    )
}

/** 0 to 1; undefined if there were no calls. */
export function rateOf({ hits, misses }: Sums): number | undefined {
  return hits + misses === 0 ? undefined : hits / (hits + misses)
}
