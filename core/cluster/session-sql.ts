// What is asked of PostgreSQL's session, not of its tables.
import type { Client } from 'pg'

export const heartbeat = 'SELECT 1'

/** A standby grants session locks of its own. A connection to it would stay for as long as it lives, and hold there what
 *  another node holds on the server that writes.
 *  @throws Error */
export async function refuseStandby(client: Client): Promise<void> {
  const { rows } = await client.query<{ reads: boolean }>('SELECT pg_is_in_recovery() AS reads')
  if (rows[0]?.reads === true) throw new Error('This PostgreSQL is a standby, which only reads.')
}

/** `channel` and text. */
export const notify = 'SELECT pg_notify($1, $2)'

/** @returns false when another session holds it */
export async function tryLock(client: Client, key: readonly number[]): Promise<boolean> {
  const sql = 'SELECT pg_try_advisory_lock($1, $2) AS held'
  const { rows } = await client.query<{ held: boolean }>(sql, [...key])
  return rows[0]?.held === true
}
