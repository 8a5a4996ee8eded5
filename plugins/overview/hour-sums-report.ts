import { type DatabaseService, hourSums } from '#core'
import type { Sums } from './schema.ts'

const hourSeconds = 3_600

interface HourRow {
  hour: number
  count: number
  quota: number
  errors: number
}

/** By the hour's beginning; of one user, or of all. */
export async function sumHours(
  database: DatabaseService,
  { start, end, userId }: { start: number; end: number; userId?: number | undefined },
): Promise<Map<number, Sums>> {
  const first = userId === undefined ? undefined : await firstRowSince(database, start)
  const who = userId === undefined ? '' : ' AND user_id = :userId AND id >= :first'
  const { sql, values } = hourSums({
    sums: ['count', 'quota', 'errors'],
    where: `created_at >= :start AND created_at < :end${who}`,
    origin: start,
  })
  const rows = await database.select<HourRow>(sql, {
    ...values,
    start,
    end,
    ...(userId === undefined ? {} : { userId, first: first ?? 0 }),
  })
  return new Map(
    rows.map(({ hour, quota, count, errors }) => [hour, { quota, calls: count, errors }]),
  )
}

/** Rows since a time have at least this id: with it the index on user and id need not go through a user's whole past. */
async function firstRowSince(
  database: DatabaseService,
  start: number,
): Promise<number | undefined> {
  const [row] = await database.select<{ id: number }>(
    'SELECT id FROM logs WHERE created_at >= :earlier ORDER BY created_at LIMIT 1',
    { earlier: start - hourSeconds },
  )
  return row?.id
}
