import type { DatabaseService } from 'tollgate/contract'

/** Stops between two statements when the plugin is switched off. */
export async function countPeople(database: DatabaseService, signal: AbortSignal): Promise<void> {
  const [row] = await database.select<{ people: number }>(
    'SELECT CAST(COUNT(*) AS INTEGER) AS people FROM users',
  )
  signal.throwIfAborted()
  await database.run(
    'INSERT INTO acme__counts (counted_at, people) VALUES (:now, :people) ON CONFLICT (counted_at) DO NOTHING',
    { now: Math.floor(Date.now() / 1000), people: row?.people ?? 0 },
  )
}
