import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databaseKinds, type TestDatabase } from '../../test/harness/databases.ts'
import type { UsageLogQuery, UsageLogService } from '../contract/money-services.ts'
import type { Database } from '../data/database.ts'
import { sumNewLogs } from './sum-new-logs-sql.ts'
import { createUsageLog } from './usage-log.ts'

const ROWS = 20_000
const start = 1_750_032_000
const page = { page: 1, pageSize: 20 }

/** Of the row with this number: of neighbours, in another order than their rows are. */
const requestOf = (row: number) => `20250616${5_000_000 + (row % 2 === 0 ? row : row - 8)}aZ`

describe.each(databaseKinds)('a request in a long log on $name', ({ create }) => {
  let test: TestDatabase
  let log: UsageLogService
  const reads: Record<string, unknown>[] = []

  const addRows = (from: number, to: number) =>
    test.database.run(
      `WITH RECURSIVE series (n) AS (SELECT ${from} UNION ALL SELECT n + 1 FROM series WHERE n < ${to})
       INSERT INTO logs (user_id, created_at, type, quota, request_id)
       SELECT 1 + n % 2, ${start} + n, 2, n, '20250616' || (CASE WHEN n % 2 = 0 THEN 5000000 + n ELSE 5000000 + n - 8 END) || 'aZ' FROM series`,
    )
  const quotas = async (query: UsageLogQuery) =>
    (await log.list(query, page)).items.map(({ quota }) => quota)

  beforeAll(async () => {
    test = await create()
    const { database } = test
    const select: Database['select'] = (sql, values, transaction) => {
      if (/FROM logs WHERE id >= :first/.test(sql)) reads.push({ ...values })
      return database.select(sql, values, transaction)
    }
    log = createUsageLog({ database: { ...database, select }, settleMs: 0 })
    await addRows(1, ROWS)
    await database.run(`INSERT INTO logs (user_id, created_at, type) VALUES (1, ${start}, 1)`)
    await sumNewLogs(database, { settleMs: 0 })
  })
  afterAll(() => test.close())

  it.each([2, 3, 8_191, 8_192, 8_193, 12_345, ROWS])('finds the one of row %i', async (row) => {
    expect(await quotas({ requestId: requestOf(row) })).toEqual([row])
    expect(await log.stat({ requestId: requestOf(row) })).toMatchObject({ quota: row })
  })

  it('finds none of an id that never was, and none of a request of somebody else', async () => {
    expect(await quotas({ requestId: '20250616' })).toEqual([])
    expect(await quotas({ requestId: requestOf(700).toLowerCase() })).toEqual([])
    expect(await quotas({ requestId: 'nonsense' })).toEqual([])
    expect(await quotas({ requestId: requestOf(700), userId: 1 })).toEqual([700])
    expect(await quotas({ requestId: requestOf(700), userId: 2 })).toEqual([])
    expect(await quotas({ requestId: requestOf(700), start: start + 701 })).toEqual([])
  })

  it('reads the rows around it, and those that came since', async () => {
    reads.length = 0
    await quotas({ requestId: requestOf(12_345) })
    const [inBlock, since, ...others] = reads.map(({ first, last }) => [Number(first), last])
    expect(inBlock).toEqual([8_192, 16_383])
    expect(since?.[0]).toBeGreaterThan(ROWS)
    expect(others).toEqual([])
  })

  it('finds those of rows that came since', async () => {
    await addRows(ROWS + 1, ROWS + 9)
    expect(await quotas({ requestId: requestOf(ROWS + 9) })).toEqual([ROWS + 9])
    await sumNewLogs(test.database, { settleMs: 0 })
    expect(await quotas({ requestId: requestOf(ROWS + 9) })).toEqual([ROWS + 9])
  })

  it('finds those of rows that got the ids of deleted ones', async () => {
    await log.deleteBefore(start + 2 * ROWS)
    await addRows(3 * ROWS, 3 * ROWS + 100)
    expect(await quotas({ requestId: requestOf(3 * ROWS) })).toEqual([3 * ROWS])
    await sumNewLogs(test.database, { settleMs: 0 })
    expect(await quotas({ requestId: requestOf(3 * ROWS) })).toEqual([3 * ROWS])
    expect(await quotas({ requestId: requestOf(7) })).toEqual([])
  })
})
