import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databaseKinds, type TestDatabase } from '../../test/harness/databases.ts'
import type { UsageLogQuery, UsageLogService } from '../contract/money-services.ts'
import type { Database } from '../data/database.ts'
import { bindNamed } from '../data/named-values.ts'
import { sumNewLogs } from './sum-new-logs-sql.ts'
import { createUsageLog } from './usage-log.ts'

const DAY_SECONDS = 86_400
const ROWS = 3_000
/** The log has a row an hour from here. */
const start = 1_750_032_000

const filters: readonly UsageLogQuery[] = [
  { username: 'ann' },
  { username: 'nobody' },
  { userId: 1 },
  { userId: 1, type: 5 },
  { type: 5, channelId: 2 },
  { type: 5, modelName: 'm-1' },
  { tokenName: 't-1' },
  { tokenName: 'never' },
  { modelName: 'm-1' },
  { modelName: '%-1%' },
  { modelName: 'never' },
  { channelId: 2 },
  { channelId: 99 },
  { group: 'vip' },
  { group: 'never' },
  { type: 4 },
]
const day = { start: start + 50 * DAY_SECONDS, end: start + 51 * DAY_SECONDS }
const queries = [...filters, ...filters.map((filter) => ({ ...filter, ...day })), day]

describe.each(databaseKinds)('what the log reads for an answer, on $name', ({ create }) => {
  let test: TestDatabase
  let log: UsageLogService
  const asked: { sql: string; values: Record<string, unknown> | undefined }[] = []

  beforeAll(async () => {
    test = await create()
    const { database } = test
    await database.run(`INSERT INTO users (id, username) VALUES (1, 'ann'), (2, 'bob')`)
    await database.run(
      `WITH RECURSIVE series (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM series WHERE n < ${ROWS})
       INSERT INTO logs (user_id, username, created_at, type, token_name, model_name, channel_id, "group", quota)
       SELECT 1 + n % 2, CASE WHEN n % 2 = 0 THEN 'ann' ELSE 'bob' END, ${start} + n * 3600, CASE WHEN n % 20 = 0 THEN 5 ELSE 2 END,
         't-' || (n % 100), 'm-' || (n % 100), n % 50, CASE WHEN n % 40 = 0 THEN 'vip' ELSE 'default' END, 1 FROM series`,
    )
    await database.run(`INSERT INTO log_models (name) SELECT DISTINCT model_name FROM logs`)
    await sumNewLogs(database, { settleMs: 0 })
    // As in a gateway: SQLite has no statistics, PostgreSQL makes them by itself, and knows which pages are visible to all.
    if (database.dialect === 'postgres') await database.run('VACUUM ANALYZE')
    const select: Database['select'] = (sql, values, transaction) => {
      asked.push({ sql, values })
      return database.select(sql, values, transaction)
    }
    log = createUsageLog({ database: { ...database, select } })
  })
  afterAll(() => test.close())

  /** Rows of the log that PostgreSQL looks at, those that it drops included; on SQLite the ways to them. */
  async function plansOf(work: () => Promise<unknown>): Promise<string[]> {
    asked.length = 0
    await work()
    const ofLog = asked.filter(({ sql }) => /FROM logs/.test(sql))
    const plans = await Promise.all(
      ofLog.map(({ sql, values }) => explain(test.database, sql, values)),
    )
    return plans.flat()
  }

  it.each(queries)('lists %j without going through all rows', async (query) => {
    const plans = await plansOf(() => log.list(query, { page: 1, pageSize: 20 }))
    expect(plans.filter((line) => /SCAN logs\b|Seq Scan on logs/.test(line))).toEqual([])
  })

  it.each([
    [{ userId: 1, tokenName: 'never' }, 'logs_token'],
    [{ userId: 1, modelName: 'never' }, 'logs_model'],
    [{ userId: 1, group: 'never' }, 'logs_group'],
    [{ username: 'ann', channelId: 99 }, 'logs_channel_model'],
    [{ userId: 99, modelName: 'm-2' }, 'logs_user_model'],
  ] as const)('looks for %j where the fewest rows are', async (query, index) => {
    const plans = await plansOf(() => log.list(query, { page: 1, pageSize: 20 }))
    expect(plans.filter((line) => line.includes(' logs ')).at(-1)).toContain(index)
  })

  it.each([{ userId: 1 }, { channelId: 2 }, { modelName: 'm-1' }])(
    'counts consumption of %j by indexes alone',
    async (query) => {
      const plans = await plansOf(() => log.list({ ...query, type: 2 }, { page: 1, pageSize: 20 }))
      // The last one reads the page.
      const ways = plans.filter((line) => /(?:Scan|SEARCH).* logs\b/.test(line)).slice(0, -1)
      expect(ways).toHaveLength(2)
      expect(ways.filter((line) => !/COVERING INDEX|Index Only Scan/.test(line))).toEqual([])
    },
  )

  it.each(queries)('sums %j without going through all rows', async (query) => {
    const plans = await plansOf(() => log.stat(query))
    expect(plans.filter((line) => /SCAN logs\b|Seq Scan on logs/.test(line))).toEqual([])
  })

  it('reads what is summed of models beside its key, not in a second place', async () => {
    const plans = await plansOf(() => log.stat({ modelName: '%-1%' }))
    expect(plans.filter((line) => line.includes('sqlite_autoindex_log_sums'))).toEqual([])
  })

  it('sums a day long ago without the rows behind it', async () => {
    asked.length = 0
    await log.stat({ start: start + DAY_SECONDS + 100, end: start + 2 * DAY_SECONDS + 100 })
    const seen = asked.map(({ sql, values }) => rowsSeen(test, sql, values))
    expect(Math.max(...seen)).toBeLessThan(ROWS)
  })

  it('finds few rows of two frequent values without the other rows of either', async () => {
    const { database } = test
    await database.run(
      `INSERT INTO logs (user_id, username, created_at, type, model_name, channel_id, quota)
       SELECT 3 + id % 2, 'eve', created_at, 2, CASE WHEN id % 500 = 0 OR id % 2 = 1 THEN 'busy' ELSE 'other' END, 60 + id % 2, 1 FROM logs`,
    )
    await database.run(`INSERT INTO log_models (name) VALUES ('busy'), ('other')`)
    if (database.dialect === 'postgres') await database.run('ANALYZE')
    const where = [`user_id = 3 AND model_name = 'busy'`, `channel_id = 60 AND model_name = 'busy'`]
    for (const [at, query] of [{ userId: 3 }, { channelId: 60 }].entries()) {
      const wanted = await database.select<{ id: number }>(
        `SELECT id FROM logs WHERE ${where[at]} ORDER BY id DESC`,
      )
      const plans = await plansOf(async () => {
        const { items } = await log.list({ ...query, modelName: 'busy' }, { page: 1, pageSize: 20 })
        expect(items.map(({ id }) => id)).toEqual(wanted.map(({ id }) => id))
      })
      const ways = plans.filter((line) => /(?:Scan|SEARCH).* logs\b/.test(line))
      expect(ways.at(-1)).toContain(at === 0 ? 'logs_user_model' : 'logs_channel_model')
    }
  })

  it('searches types without a match no further back than the page goes', async () => {
    const { database } = test
    const many = (count: number, columns: string) =>
      database.run(
        `WITH RECURSIVE series (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM series WHERE n < ${count})
         INSERT INTO logs (user_id, created_at, type, content) SELECT 1, ${start}, ${columns} FROM series`,
      )
    await many(5_000, `1, 'topped up'`)
    await many(2_500, `CASE WHEN n % 100 = 0 THEN 3 ELSE 5 END, 'Status 502: ' || n`)
    const wanted = await database.select<{ id: number }>(
      'SELECT id FROM logs ORDER BY id DESC LIMIT 100',
    )
    asked.length = 0
    const found = await log.search('status 502', undefined)
    expect(found.map(({ id }) => id)).toEqual(wanted.map(({ id }) => id))
    const page = asked.findLast(({ sql }) => /FROM logs/.test(sql))
    expect(rowsSeen(test, page?.sql ?? '', page?.values)).toBeLessThan(500)
  })
})

/** Rows of the log that SQLite comes by, which no plan tells; 0 on PostgreSQL, which takes all bounds. */
function rowsSeen(
  { settings, database }: TestDatabase,
  sql: string,
  values: Record<string, unknown> | undefined,
): number {
  if (database.dialect === 'postgres') return 0
  const file = new DatabaseSync(join(settings.dataDir, 'tollgate.db'), { readOnly: true })
  let seen = 0
  file.function('seen', () => (seen += 1))
  const { sql: bound, bound: texts } = bindNamed({ sql, values }, () => '?')
  const counted = bound.replaceAll('FROM logs WHERE', 'FROM logs WHERE seen() AND')
  file.prepare(counted).all(...(texts as string[]))
  file.close()
  return seen
}

/** A small table is read whole whatever its indexes: PostgreSQL is asked how it would go otherwise. */
function explain(
  database: Database,
  sql: string,
  values: Record<string, unknown> | undefined,
): Promise<string[]> {
  if (database.dialect === 'sqlite')
    return database
      .select<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, values)
      .then((rows) => rows.map(({ detail }) => detail))
  return database.transaction(async (transaction) => {
    await database.run('SET LOCAL enable_seqscan = off', undefined, transaction)
    const rows = await database.select<{ 'QUERY PLAN': string }>(
      `EXPLAIN ${sql}`,
      values,
      transaction,
    )
    return rows.map((row) => row['QUERY PLAN'])
  })
}
