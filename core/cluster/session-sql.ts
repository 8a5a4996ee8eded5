// What is asked of PostgreSQL's session, not of its tables.
import type { Client } from 'pg'

export const heartbeat = 'SELECT 1'

/** `channel` and text. */
export const notify = 'SELECT pg_notify($1, $2)'

/** @returns false when another session holds it */
export async function tryLock(client: Client, key: readonly number[]): Promise<boolean> {
  const sql = 'SELECT pg_try_advisory_lock($1, $2) AS held'
  const { rows } = await client.query<{ held: boolean }>(sql, [...key])
  return rows[0]?.held === true
}
