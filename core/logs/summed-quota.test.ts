import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Ledger } from '../billing/ledger/ledger.ts'
import type { LogRecord, UsageLogQuery, UsageLogService } from '../contract/money-services.ts'
import type { Database } from '../data/database.ts'
import { aroundSlices } from '../../test/harness/faults/around-slices.ts'
import { databaseKinds, quietLog, type TestDatabase } from '../../test/harness/databases.ts'
import { quietEvents } from '../../test/harness/quiet-events.ts'
import { hoursOfAll } from './log-quarters-sql.ts'
import { sumNewLogs } from './sum-new-logs-sql.ts'
import { createUsageLog } from './usage-log.ts'

const DAY_SECONDS = 86_400
/** A midnight, in seconds. */
const start = 1_750_032_000

interface LoggedRow {
  created_at: number
  quota: number
  group: string
  model_name: string
  channel_id: number
  user_id: number
  token_name: string
}

/** Another one for each `at`, and the same in each run. */
const mixed = (at: number, below: number) => ((at * 7_919 + 104_729) % 1_000_003) % below

const queries: readonly UsageLogQuery[] = [
  {},
  ...[0, 1_800, 2 * DAY_SECONDS].flatMap((from) =>
    [3_599, DAY_SECONDS - 1, 3 * DAY_SECONDS + 1_234].map((span) => ({
      start: start + from,
      end: start + from + span,
    })),
  ),
  { start: start + DAY_SECONDS },
  { end: start + DAY_SECONDS + 77 },
]

/** Most of the names begin alike, and all have a letter in common. */
const models = ['model-0', 'model-1', 'other', '']

const filters: readonly UsageLogQuery[] = [
  {},
  { userId: 1 },
  { userId: 12 },
  { username: 'ann' },
  { tokenName: 't1' },
  { channelId: 2 },
  { group: 'vip' },
  { group: 'default' },
  { modelName: 'model-1' },
  { modelName: 'model-%' },
  { modelName: '%e%' },
  { modelName: 'never' },
  { channelId: 2, modelName: 'model-1' },
  { group: 'vip', modelName: '%el-1' },
]

describe.each(databaseKinds)('what was spent, on $name', ({ create }) => {
  let test: TestDatabase
  let ledger: Ledger
  let log: UsageLogService
  let written = 0

  beforeAll(async () => {
    test = await create()
    ledger = await Ledger.open({
      database: test.database,
      nodeId: 'n',
      log: quietLog,
      events: quietEvents,
    })
    log = createUsageLog({ database: test.database, settleMs: 0 })
    await test.database.run(`INSERT INTO users (id, username) VALUES (1, 'ann'), (12, 'bob')`)
  })
  afterAll(async () => {
    await ledger.close()
    await test.close()
  })

  async function write(count: number): Promise<void> {
    for (const end = written + count; written < end; written += 1) {
      const at = written
      ledger.logs.write({
        user_id: mixed(at, 2) === 0 ? 1 : 12,
        type: mixed(at, 9) === 0 ? 5 : 2,
        content: '',
        created_at: start + mixed(at, 5 * DAY_SECONDS),
        model_name: models[mixed(at, models.length)] ?? '',
        token_name: mixed(at, 11) === 0 ? 'channel test' : `t${mixed(at, 3)}`,
        channel_id: mixed(at, 4),
        group: mixed(at, 5) === 0 ? 'vip' : 'default',
        quota: 1 + mixed(at, 1_000),
      })
    }
    await ledger.flush()
  }

  /** Of a filter, the newest first; read without a span, once for all of them. */
  async function rowsOf(filter: UsageLogQuery): Promise<LogRecord[]> {
    const found: LogRecord[] = []
    for await (const rows of log.slices({ ...filter, type: 2 }, 500)) found.push(...rows)
    return found
  }

  /** What rows say of a span by themselves. */
  function expected(
    rows: readonly LogRecord[],
    { start: from = 0, end = Infinity }: UsageLogQuery,
  ) {
    const found = { quota: 0, ids: [] as number[] }
    for (const row of rows) {
      if (row.created_at < from || row.created_at > end) continue
      found.ids.push(row.id)
      if (row.token_id > 0 || row.token_name !== 'channel test') found.quota += row.quota
    }
    return found
  }

  async function listed(query: UsageLogQuery): Promise<number[]> {
    const { items } = await log.list({ ...query, type: 2 }, { page: 1, pageSize: 1_000 })
    return items.map(({ id }) => id)
  }

  async function expectTrue(): Promise<void> {
    for (const filter of filters) {
      const rows = await rowsOf(filter)
      for (const [at, span] of queries.entries()) {
        const query = { ...span, ...filter }
        const { quota } = await log.stat(query)
        const wanted = expected(rows, span)
        expect({ query, quota }).toEqual({ query, quota: wanted.quota })
        // The page that is shown above that sum.
        if (at % 4 === 0) expect(await listed(query)).toEqual(wanted.ids)
      }
    }
  }

  const sum = () => sumNewLogs(test.database, { settleMs: 0 })

  it('is told with no row summed', async () => {
    await write(300)
    await expectTrue()
  })

  it('is the same with all rows summed', async () => {
    await sum()
    await expectTrue()
  })

  it('is the same with some rows summed', async () => {
    await write(200)
    await expectTrue()
  })

  it('is the same when several sum at once', async () => {
    await Promise.all([sum(), sum(), sum()])
    await expectTrue()
    const [left] = await test.database.select<{ rows: number }>(
      'SELECT COUNT(*) AS rows FROM logs WHERE id > (SELECT last_id FROM log_progress)',
    )
    expect(left?.rows).toBe(0)
    await expectCountsOfRows()
  })

  it('is the same while old rows are deleted, at any second', async () => {
    const time = start + DAY_SECONDS + 4_321
    const counts: number[] = []
    do {
      counts.push(await log.deleteBefore(time, 60))
      await expectSumsOfRows()
    } while (counts.at(-1) === 60)
    expect(counts.length).toBeGreaterThan(1)
    expect(await listed({ end: time - 1 })).toEqual([])
    expect(await sumsBefore(time)).toBe(0)
  })

  it('is the same when new rows come after that', async () => {
    await write(100)
    await log.deleteBefore(start + 2 * DAY_SECONDS)
    await sum()
    await expectTrue()
    await log.deleteBefore(start + 99 * DAY_SECONDS)
    expect(await log.stat({})).toMatchObject({ quota: 0 })
  })

  it('is the same when rows come where all were deleted', async () => {
    await write(150)
    await expectTrue()
  })

  it('is the same when those are summed', async () => {
    await sum()
    await expectTrue()
  })

  it.each([
    ['a day', 2 * DAY_SECONDS],
    ['an hour', 2 * DAY_SECONDS + 3_600],
    ['a quarter', 2 * DAY_SECONDS + 900],
    ['nothing', 2 * DAY_SECONDS + 4_321],
  ])('is the same when deleting ends at any place, up to where %s begins', async (_what, from) => {
    await log.deleteBefore(start + 99 * DAY_SECONDS)
    await write(200)
    await sum()
    await write(50)
    const time = start + from
    let done = 0
    for (let isOver = false; !isOver; done += 1) {
      const breaking = createUsageLog({ database: endingAfter(done), settleMs: 0 })
      isOver = await breaking.deleteBefore(time, 40).then(
        (count) => count < 40,
        () => false,
      )
      await expectSumsOfRows()
      await expectHoursOfRows()
      for (const filter of filters.slice(0, 6)) await expectStat(filter)
      if (done === 1) await sum()
    }
    expect(done).toBeGreaterThan(3)
    expect(await listed({ end: time - 1 })).toEqual([])
    expect(await sumsBefore(time)).toBe(0)
  })

  it('keeps the sums of old rows that come while others are deleted', async () => {
    await log.deleteBefore(start + 99 * DAY_SECONDS)
    await write(100)
    await sum()
    const { database } = test
    let isFirst = true
    const between = aroundSlices(database, async (take) => {
      const result = await take()
      if (isFirst) {
        isFirst = false
        await write(100)
        await sum()
      }
      return result
    })
    await createUsageLog({ database: between, settleMs: 0 }).deleteBefore(start + 2 * DAY_SECONDS)
    expect(await listed({ end: start + 2 * DAY_SECONDS - 1 })).toEqual([])
    expect(await sumsBefore(start + 2 * DAY_SECONDS)).toBe(0)
    await expectSumsOfRows()
  })

  async function expectStat(filter: UsageLogQuery): Promise<void> {
    const rows = await rowsOf(filter)
    for (const span of [{}, { start: start + DAY_SECONDS, end: start + 3 * DAY_SECONDS + 77 }]) {
      const query = { ...span, ...filter }
      const { quota } = expected(rows, span)
      expect({ query, ...(await log.stat(query)) }).toMatchObject({ query, quota })
    }
  }

  async function expectHoursOfRows(): Promise<void> {
    const span = { start, end: start + 5 * DAY_SECONDS }
    const hours = await hoursOfAll(test.database, span)
    const quota = [...hours.values()].reduce((sum, hour) => sum + hour.quota, 0)
    expect(quota).toBe(expected(await rowsOf({}), {}).quota)
  }

  /** What is known of quarters, owners and names beside sums, while none has been deleted. */
  async function expectCountsOfRows(): Promise<void> {
    const isNoTest = `NOT (token_id = 0 AND token_name = 'channel test')`
    const calls = (type: number) =>
      `CAST(SUM(CASE WHEN type = ${type} AND ${isNoTest} THEN 1 ELSE 0 END) AS BIGINT)`
    const pairs = [
      [
        'SELECT start_at, first_id, last_id, calls, errors FROM log_quarters ORDER BY 1',
        `SELECT created_at - created_at % 900 AS start_at, MIN(id) AS first_id, MAX(id) AS last_id, ${calls(2)} AS calls,
           ${calls(5)} AS errors FROM logs GROUP BY 1 ORDER BY 1`,
      ],
      [
        'SELECT kind, owner, row_count FROM log_owners ORDER BY 1, 2',
        `SELECT 'user' AS kind, user_id AS owner, COUNT(*) AS row_count FROM logs GROUP BY 2
         UNION ALL SELECT 'channel', channel_id, COUNT(*) FROM logs GROUP BY 2 ORDER BY 1, 2`,
      ],
      [
        'SELECT username, user_id FROM log_users ORDER BY 1, 2',
        'SELECT DISTINCT username, user_id FROM logs ORDER BY 1, 2',
      ],
    ] as const
    for (const [known, counted] of pairs) {
      const wanted = await test.database.select(counted)
      expect(wanted.length).toBeGreaterThan(1)
      expect(await test.database.select(known)).toEqual(wanted)
    }
  }

  /** Every sum is that of the summed rows that are left, whatever broke the work off. */
  async function expectSumsOfRows(): Promise<void> {
    const { database } = test
    const rows = await database.select<LoggedRow>(
      `SELECT * FROM logs WHERE type = 2 AND NOT (token_id = 0 AND token_name = 'channel test')
         AND id <= (SELECT last_id FROM log_progress) AND created_at >= (SELECT sums_from FROM log_progress)`,
    )
    const wanted = new Map<string, number>()
    const add = (kind: string, subject: string, at: number, seconds: number, quota: number) => {
      const key = `${kind} ${subject} ${at - (at % seconds)}`
      wanted.set(key, (wanted.get(key) ?? 0) + quota)
    }
    for (const row of rows) {
      const { created_at: at, quota } = row
      add('all', '', at, 900, quota)
      add('group', row.group, at, 3_600, quota)
      add('model', row.model_name, at, 3_600, quota)
      add('channel', String(row.channel_id), at, DAY_SECONDS, quota)
      add('user', String(row.user_id), at, DAY_SECONDS, quota)
      add('group model', `${row.group}\n${row.model_name}`, at, DAY_SECONDS, quota)
      add('token', row.token_name, at, DAY_SECONDS, quota)
    }
    const sums = await database.select<{ name: string; quota: number }>(
      `SELECT kind || ' ' || subject || ' ' || start_at AS name, quota FROM log_sums WHERE quota <> 0
         AND start_at >= (SELECT sums_from FROM log_progress)
       UNION ALL SELECT 'all  ' || start_at, quota FROM log_quarters WHERE quota <> 0
         AND start_at >= (SELECT sums_from FROM log_progress)`,
    )
    const found = new Map(sums.map(({ name, quota }) => [name, quota]))
    expect(found).toEqual(wanted)
  }

  /** The database of a process that is killed in its transaction behind so many. */
  function endingAfter(count: number): Database {
    const { database } = test
    let left = count
    const slices: Database['slices'] = (limits) => {
      const own = database.slices(limits)
      return {
        get rows() {
          return own.rows
        },
        take: (work) =>
          own.take(async (statements) => {
            const result = await work(statements)
            left -= 1
            if (left < 0) throw new Error('killed')
            return result
          }),
      }
    }
    return { ...database, slices }
  }

  /** Hours and days that were over before a time. */
  async function sumsBefore(time: number): Promise<number> {
    const [found] = await test.database.select<{ sums: number }>(
      `SELECT (SELECT COUNT(*) FROM log_quarters WHERE start_at <= :time - 900)
         + (SELECT COUNT(*) FROM log_sums WHERE start_at <= :time - 86400) AS sums`,
      { time },
    )
    return found?.sums ?? -1
  }
})
