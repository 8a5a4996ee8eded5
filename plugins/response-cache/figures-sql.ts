import type { DatabaseService } from '#core'
import type { CacheDay } from './schema.ts'

/** Adds to the sums of all nodes. */
export async function addDay(database: DatabaseService, day: CacheDay): Promise<void> {
  await database.run(
    `INSERT INTO response_cache__days (day, hits, misses, saved) VALUES (:day, :hits, :misses, :saved)
     ON CONFLICT (day) DO UPDATE SET hits = response_cache__days.hits + excluded.hits,
       misses = response_cache__days.misses + excluded.misses, saved = response_cache__days.saved + excluded.saved`,
    { ...day },
  )
}

/** Newest day first. */
export function daysSince(database: DatabaseService, day: string): Promise<CacheDay[]> {
  return database.select<CacheDay>(
    'SELECT day, hits, misses, saved FROM response_cache__days WHERE day >= :day ORDER BY day DESC',
    { day },
  )
}

export async function dropDaysBefore(database: DatabaseService, day: string): Promise<void> {
  await database.run('DELETE FROM response_cache__days WHERE day < :day', { day })
}
