import type { DatabaseService } from '#core'
import type { DataRow, UserRow } from './schema.ts'

export interface Span {
  start: number
  end: number
}

export interface HoursQuery extends Span {
  userId?: number
  username?: string
  /** Seconds of one row, and how far its start is from that of the epoch. Left out: an hour. */
  step?: { seconds: number; offset: number }
}

/** A year of hours of a hundred models is more than anybody looks at. */
const mostRows = 200_000
const mostUsers = 100

const sums =
  'CAST(SUM(token_used) AS BIGINT) AS token_used, CAST(SUM(count) AS BIGINT) AS count, CAST(SUM(quota) AS BIGINT) AS quota'

/** Sums by model and time; of everybody, or of one user. */
export async function readHours(
  database: DatabaseService,
  { start, end, userId, username, step = { seconds: 3600, offset: 0 } }: HoursQuery,
): Promise<DataRow[]> {
  const owner =
    userId !== undefined ? 'AND user_id = :userId' : username ? 'AND username = :username' : ''
  const isOne = owner !== ''
  const rows = await database.select<Omit<DataRow, 'id'>>(
    `SELECT ${isOne ? 'user_id, username' : "0 AS user_id, '' AS username"}, model_name,
       created_at - (created_at + :offset) % :seconds AS created_at, ${sums}
     FROM dashboard__hours
     WHERE created_at >= :start AND created_at <= :end ${owner}
     GROUP BY ${isOne ? 'user_id, username, ' : ''}model_name, created_at - (created_at + :offset) % :seconds
     ORDER BY 4, model_name LIMIT ${mostRows}`,
    { start, end, userId, username, ...step },
  )
  return rows.map((row, at) => ({ id: isOne ? at + 1 : 0, ...row }))
}

/** Who spent most in the span. */
export function readUsers(database: DatabaseService, span: Span): Promise<UserRow[]> {
  return database.select<UserRow>(
    `SELECT user_id, MAX(username) AS username, ${sums} FROM dashboard__hours
     WHERE created_at >= :start AND created_at <= :end
     GROUP BY user_id ORDER BY 5 DESC, user_id LIMIT ${mostUsers}`,
    { ...span },
  )
}

/** When the log was counted last, in seconds; 0: never. */
export async function countedAt(database: DatabaseService): Promise<number> {
  const [progress] = await database.select<{ counted_at: number }>(
    'SELECT counted_at FROM dashboard__progress WHERE id = 1',
  )
  return progress?.counted_at ?? 0
}
