import { type DatabaseService, logType } from '#core'
import type { LastCall } from './schema.ts'

/** The number of newest rows to search. A busy account has a call among them, and an unused account has few rows. */
const lookedThrough = 200

/** The newest call with a token, of one user or of all. */
export async function lastCallOf(
  database: DatabaseService,
  userId?: number,
): Promise<LastCall | null> {
  const [row] = await database.select<LastCall>(
    `SELECT created_at, model_name, token_name, quota, use_time_ms FROM (
       SELECT id, type, token_id, created_at, model_name, token_name, quota, use_time_ms
       FROM logs ${userId === undefined ? '' : 'WHERE user_id = :userId'} ORDER BY id DESC LIMIT ${lookedThrough}) AS newest
     WHERE type = :consume AND token_id > 0 ORDER BY id DESC LIMIT 1`,
    { consume: logType.consume, ...(userId === undefined ? {} : { userId }) },
  )
  return row ?? null
}
