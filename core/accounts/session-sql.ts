import type { DatabaseService } from '../contract/services.ts'
import type { SessionRow } from '../data/models/session.ts'

export type FoundSession = Pick<
  SessionRow,
  'id_hash' | 'user_id' | 'data' | 'expires_at' | 'last_used_at'
>

/** Runs for every console call whose session is not cached. */
export async function selectSession(
  database: DatabaseService,
  id: string,
): Promise<FoundSession | undefined> {
  const [row] = await database.select<FoundSession>(
    'SELECT id_hash, user_id, data, expires_at, last_used_at FROM sessions WHERE id_hash = :id',
    { id },
  )
  return row
}
