import { type DatabaseService, hourSums, hoursOfAll, logIdSpan } from '#core'
import type { Sums } from './schema.ts'

const quarterSeconds = 900

interface HourRow {
  hour: number
  count: number
  quota: number
  errors: number
}

/** Sums by hour, of one user or of all. */
export async function sumHours(
  database: DatabaseService,
  { start, end, userId }: { start: number; end: number; userId?: number | undefined },
): Promise<Map<number, Sums>> {
  if (start >= end) return new Map()
  // `hoursOfAll` starts at quarters of an hour, as days do in all time zones.
  if (userId === undefined && start % quarterSeconds === 0)
    return hoursOfAll(database, { start, end })
  // The bounds keep the database from reading the user's whole past through the index on user and id.
  const ids = await logIdSpan(database, { start, end: end - 1 })
  if (ids === undefined) return new Map()
  const who = userId === undefined ? '' : ' AND user_id = :userId'
  const { sql, values } = hourSums({
    sums: ['count', 'quota', 'errors'],
    where: `id >= :first AND created_at >= :start AND created_at < :end${who}`,
    origin: start,
  })
  const rows = await database.select<HourRow>(sql, {
    ...values,
    ...(userId === undefined ? {} : { userId }),
    first: ids.first,
    start,
    end,
  })
  return new Map(
    rows.map(({ hour, quota, count, errors }) => [hour, { quota, calls: count, errors }]),
  )
}
