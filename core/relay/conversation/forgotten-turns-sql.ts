// What clients have deleted, for nodes that did not hear of it. All times are of the database's clock. PostgreSQL only: with SQLite there is one
// process, which hears everything.
import type { DatabaseService } from '../../contract/services.ts'
import { serverNow } from '../../data/postgres/server-now-sql.ts'

export interface Forgotten {
  userId: number
  id: string
}

/** A node remembers an answer for an hour after its last use, and lacks the messages of others for far less than this. */
const KEPT_SECONDS = 86_400

export async function noteForgotten(
  database: DatabaseService,
  { userId, id }: Forgotten,
): Promise<void> {
  await database.run(
    `INSERT INTO forgotten_turns (user_id, id, created_at) VALUES (:userId, :id, ${serverNow})
     ON CONFLICT (user_id, id) DO UPDATE SET created_at = excluded.created_at`,
    { userId, id },
  )
}

/** Those of the turns that were forgotten. */
export async function forgottenAmong(
  database: DatabaseService,
  userId: number,
  turns: readonly string[],
): Promise<ReadonlySet<string>> {
  if (turns.length === 0) return new Set()
  const rows = await database.select<{ id: string }>(
    'SELECT id FROM forgotten_turns WHERE user_id = :userId AND id IN (:turns)',
    { userId, turns },
  )
  return new Set(rows.map(({ id }) => id))
}

export function forgottenSince(
  database: DatabaseService,
  secondsAgo: number,
): Promise<Forgotten[]> {
  return database.select<Forgotten>(
    `SELECT user_id AS "userId", id FROM forgotten_turns WHERE created_at >= ${serverNow} - :secondsAgo`,
    { secondsAgo },
  )
}

export async function deleteForgotten(database: DatabaseService): Promise<void> {
  await database.run(`DELETE FROM forgotten_turns WHERE created_at < ${serverNow} - :kept`, {
    kept: KEPT_SECONDS,
  })
}
