import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databaseKinds, quietLog, type TestDatabase } from '../../test/harness/databases.ts'
import type { UsageLogQuery, UsageLogService } from '../contract/money-services.ts'
import { migrate } from '../data/migrate.ts'
import { sumNewLogs } from './sum-new-logs-sql.ts'
import { createUsageLog } from './usage-log.ts'

const start = 1_750_032_000

/** What is asked for, and the same in words of SQL. */
const filters: readonly (readonly [UsageLogQuery, string])[] = [
  [{ userId: 1, modelName: 'm-0' }, `user_id = 1 AND model_name = 'm-0'`],
  [{ userId: 1, modelName: 'm-1' }, `user_id = 1 AND model_name = 'm-1'`],
  [{ userId: 1, modelName: 'rare' }, `user_id = 1 AND model_name = 'rare'`],
  [{ username: 'ann', modelName: 'm-%' }, `user_id = 1 AND model_name LIKE 'm-%'`],
  [{ userId: 1, modelName: '%' }, 'user_id = 1'],
  [{ username: 'ann', group: 'vip' }, `user_id = 1 AND "group" = 'vip'`],
  [{ userId: 1, group: 'default' }, `user_id = 1 AND "group" = 'default'`],
  [{ userId: 12, group: 'vip' }, `user_id = 12 AND "group" = 'vip'`],
  [{ userId: 1, channelId: 3 }, 'user_id = 1 AND channel_id = 3'],
  [{ userId: 1, tokenName: 't-0' }, `user_id = 1 AND token_name = 't-0'`],
  [{ username: 'ann', tokenName: 'rare' }, `user_id = 1 AND token_name = 'rare'`],
  // He was called otherwise once.
  [{ username: 'bob' }, `username = 'bob'`],
  [{ username: 'rob' }, `username = 'rob'`],
  [{ userId: 1, modelName: 'm-0', type: 2 }, `user_id = 1 AND model_name = 'm-0' AND type = 2`],
  [{ userId: 1, tokenName: 't-1', type: 2 }, `user_id = 1 AND token_name = 't-1' AND type = 2`],
  [
    { channelId: 3, modelName: 'm-1', type: 2 },
    `channel_id = 3 AND model_name = 'm-1' AND type = 2`,
  ],
  [
    { channelId: 3, modelName: 'm-1', type: 5 },
    `channel_id = 3 AND model_name = 'm-1' AND type = 5`,
  ],
  [{ channelId: 2, modelName: 'rare' }, `channel_id = 2 AND model_name = 'rare'`],
  [{ channelId: 2, modelName: 'm-1' }, `channel_id = 2 AND model_name = 'm-1'`],
  [{ channelId: 3, group: 'vip' }, `channel_id = 3 AND "group" = 'vip'`],
  [
    { userId: 1, channelId: 2, modelName: 'rare' },
    `user_id = 1 AND channel_id = 2 AND model_name = 'rare'`,
  ],
  [
    { userId: 1, modelName: 'rare', start: start + 900, end: start + 2_000 },
    `user_id = 1 AND model_name = 'rare' AND created_at BETWEEN ${start + 900} AND ${start + 2_000}`,
  ],
]

/** The others read the rows of more than two values, or of another type. */
const COUNTED = 18

interface Row {
  id: number
  type: number
  quota: number
  created_at: number
}

/** Of sums; the last begins and ends within a quarter of an hour. */
const spans = [{}, { start: start + 900 }, { start: start + 70, end: start + 4_400 }]

describe.each(databaseKinds)('where rows of two values are, on $name', ({ create }) => {
  let test: TestDatabase
  let log: UsageLogService
  let asked: string[] = []
  let written = 0
  /** How many answers took their total from blocks that were counted. */
  let counted = 0
  /** The same of totals of a span. */
  let countedSpans = 0
  /** How many sums were taken from them. */
  let spent = 0

  beforeAll(async () => {
    test = await create()
    const { database } = test
    const select: typeof database.select = (sql, values, transaction) => {
      asked.push(sql)
      return database.select(sql, values, transaction)
    }
    log = createUsageLog({
      database: { ...database, select },
      settleMs: 0,
      pairBlock: pairLimits.block,
    })
    await database.run(`INSERT INTO users (id, username) VALUES (1, 'ann'), (12, 'bob')`)
    await database.run(`INSERT INTO log_models (name) VALUES ('m-0'), ('m-1'), ('rare')`)
  })
  afterAll(() => test.close())

  /** Ann calls m-0 by channel 2 and nothing else, but for rows that are said. */
  async function write(count: number, row: { model?: string; channel?: number; group?: string }) {
    const { model = '', channel = 0, group = 'default' } = row
    await test.database.run(
      `WITH RECURSIVE series (n) AS (SELECT CAST(:from AS BIGINT) UNION ALL SELECT n + 1 FROM series WHERE n + 1 < :to)
       INSERT INTO logs (user_id, username, token_name, created_at, type, model_name, channel_id, "group", quota)
       SELECT CASE WHEN n % 3 = 0 THEN 12 ELSE 1 END, CASE WHEN n % 3 > 0 THEN 'ann' WHEN n < 1500 THEN 'rob' ELSE 'bob' END,
         CASE WHEN :model = 'rare' THEN 'rare' ELSE 't-' || (n % 2) END, ${start} + n, CASE WHEN n % 10 = 9 THEN 5 ELSE 2 END,
         CASE WHEN :model <> '' THEN :model WHEN n % 3 = 0 THEN 'm-1' ELSE 'm-0' END,
         CASE WHEN :channel <> 0 THEN :channel WHEN n % 3 = 0 THEN 3 ELSE 2 END, :group, 1 + n % 7 FROM series`,
      { from: written, to: written + count, model, channel, group },
    )
    written += count
  }

  let round = 0

  /** @param spansOf each filter; without it one of them, another in each round
   *  @returns how many questions were answered from what is known of pieces */
  async function expectTrue(spansOf?: typeof spans): Promise<number> {
    let known = 0
    round += 1
    counted = 0
    countedSpans = 0
    spent = 0
    for (const [at, [query, where]] of filters.entries()) {
      // Spent is what consumption cost, whatever type was asked for.
      const ofTwo = where.replace(` AND type = ${query.type}`, '')
      const all = await test.database.select<Row>(
        `SELECT id, type, quota, created_at FROM logs WHERE ${ofTwo} ORDER BY id DESC`,
      )
      const rows = all.filter(({ type }) => query.type === undefined || type === query.type)
      asked = []
      const { items, total } = await log.list(query, { page: 1, pageSize: 200 })
      if (isCounted()) counted += 1
      const ids = rows.map(({ id }) => id)
      const wanted = { query, ids: ids.slice(0, 200), total: rows.length }
      expect({ query, ids: items.map(({ id }) => id), total }).toEqual(wanted)
      const deep = await log.list(query, { page: 40, pageSize: 25 })
      expect(deep.items.map(({ id }) => id)).toEqual(ids.slice(975, 1_000))
      const own = (at + round) % spans.length
      for (const span of spansOf ?? spans.slice(own, own + 1))
        await expectSpan({ ...span, ...query }, all)
      if (asked.some((sql) => sql.includes(':pair0Paired'))) known += 1
    }
    return known
  }

  /** Its total, which is known of all time already, and its sum. */
  async function expectSpan(query: UsageLogQuery, rows: readonly Row[]) {
    const { start: from = 0, end: to = Number.MAX_SAFE_INTEGER, type: asOf } = query
    const inside = rows.filter(({ created_at: at }) => at >= from && at <= to)
    if (from > 0) {
      asked = []
      const { total } = await log.list(query, { page: 1, pageSize: 1 })
      const found = inside.filter(({ type }) => asOf === undefined || type === asOf)
      expect({ query, total }).toEqual({ query, total: found.length })
      if (isCounted()) countedSpans += 1
    }
    asked = []
    const quota = inside.reduce((sum, row) => sum + (row.type === 2 ? row.quota : 0), 0)
    expect({ query, ...(await log.stat(query)) }).toMatchObject({ query, quota })
    const isKnown = asked.some((sql) => sql.includes(':pairBehind'))
    if (isKnown && !asked.some((sql) => sql.includes('AS tokens'))) spent += 1
  }

  /** Not in vain: rows were not counted afterwards. */
  const isCounted = () =>
    asked.some((sql) => sql.includes(':pairFirst')) &&
    !asked.some((sql) => sql.startsWith('SELECT COUNT(*) AS total'))

  const pairLimits = { fewRows: 50, fewNew: 100, block: 64 }
  /** Of few rows at once, all are looked at afterwards; of many, what busy ones met is known from their sums. */
  const sizes = [100, 350, 1_000]
  const sum = () => {
    const [rowsAtOnce = 100] = sizes
    sizes.push(...sizes.splice(0, 1))
    return sumNewLogs(test.database, { settleMs: 0, rowsAtOnce, pairLimits })
  }

  it('is found with nothing known', async () => {
    await write(3_000, {})
    expect(await expectTrue()).toBe(0)
    expect(counted).toBe(0)
  })

  it('is the same with all known, wherever two meet', async () => {
    await sum()
    expect(await expectTrue(spans)).toBeGreaterThan(5)
    // Spent is of consumption, whatever type is asked for.
    expect([counted, countedSpans, spent]).toEqual([COUNTED, 2 * COUNTED, 3 * (COUNTED + 1)])
  })

  it('is the same with some known, and where two that are frequent meet rarely', async () => {
    // Few: they are looked at by every question.
    await write(40, { model: 'rare', channel: 3, group: 'vip' })
    await expectTrue()
  })

  it('is the same when that is known too', async () => {
    await sum()
    await expectTrue()
  })

  it('is the same when two look at what is new at once', async () => {
    await write(2_000, {})
    await Promise.all([sum(), sum()])
    expect(await expectTrue()).toBeGreaterThan(5)
    const [left] = await test.database.select<{ owners: number }>(
      'SELECT COUNT(*) AS owners FROM log_owners WHERE paired_id < (SELECT MAX(id) FROM logs)',
    )
    expect(left?.owners).toBe(0)
  })

  it('is the same with many rows that nobody looked at yet', async () => {
    await write(700, {})
    await expectTrue()
    await sum()
    await expectTrue()
  })

  it('is counted and summed without reading the rows of whole blocks', async () => {
    const { database } = test
    const block = 'owner = 1 AND subject = :model AND block = 128'
    const query = { userId: 1, modelName: 'm-0', start: start + 10 }
    const before = (await log.stat(query)).quota
    await database.run(`UPDATE log_pairs SET row_count = row_count + 1000 WHERE ${block}`, {
      model: 'm-0',
    })
    // Far from where the span begins: ids come in the order of time, more or less.
    const later = `owner = 1 AND subject = 'm-0' AND block = 2560`
    await database.run(`UPDATE log_pairs SET quota = quota + 500 WHERE ${later}`)
    expect((await log.stat(query)).quota).toBe(before + 500)
    const { total } = await log.list({ userId: 1, modelName: 'm-0' }, { page: 1, pageSize: 1 })
    const where = `user_id = 1 AND model_name = 'm-0'`
    const [found] = await database.select<{ rows: number }>(
      `SELECT COUNT(*) AS rows FROM logs WHERE ${where}`,
    )
    expect(total).toBe((found?.rows ?? 0) + 1_000)
    await database.run(`UPDATE log_pairs SET row_count = row_count - 1000 WHERE ${block}`, {
      model: 'm-0',
    })
    await database.run(`UPDATE log_pairs SET quota = quota - 500 WHERE ${later}`)
    await expectTrue()
  })

  it('is the same when the newest rows are deleted, and their ids given anew', async () => {
    await write(200, { model: 'm-1' })
    await sum()
    await log.deleteBefore(start + 3_020)
    await expectTrue()
    // Of blocks that nothing was deleted from.
    expect(counted).toBeGreaterThan(5)
  })

  it('is the same when rows of the past come last', async () => {
    // An import of the past is the newest in the order of ids.
    const now = written
    written = -2_000
    await write(1_500, { model: 'm-0', group: 'vip' })
    await sum()
    await log.deleteBefore(start)
    written = now
    await write(90, { model: 'rare', channel: 3 })
    await expectTrue()
  })

  it('is the same when those are known', async () => {
    await sum()
    await expectTrue()
  })

  it('is forgotten with the rows', async () => {
    const pairs = async () => {
      const [found] = await test.database.select<{ pairs: number }>(
        'SELECT COUNT(*) AS pairs FROM log_pairs WHERE last_id < (SELECT MIN(id) FROM logs)',
      )
      return found?.pairs
    }
    await log.deleteBefore(start + 4_500)
    expect(await pairs()).toBe(0)
    await expectTrue()
  })

  it('is nothing when all rows are deleted', async () => {
    await log.deleteBefore(start + 999_999)
    await expectTrue()
  })

  it('is the same when rows come after that', async () => {
    await write(300, { model: 'rare' })
    await expectTrue()
  })

  it('is learned of them anew', async () => {
    await sum()
    await expectTrue()
  })

  it('is learned of the rows of the time before an upgrade', async () => {
    const { database } = test
    await write(500, {})
    await sum()
    await write(100, {})
    for (const table of ['log_owners', 'log_pairs']) await database.run(`DROP TABLE ${table}`)
    await database.run('ALTER TABLE log_progress DROP COLUMN whole_from')
    const steps = [
      '0027-log-pairs',
      '0032-log-pair-counts',
      '0034-log-pair-quotas',
      '0038-log-sums-of-two',
    ]
    // What an earlier version has summed.
    const ofTwo = `kind = 'group model'`
    const sums = `SELECT subject, start_at, quota FROM log_sums WHERE ${ofTwo} AND quota <> 0 ORDER BY 1, 2`
    const known = await database.select(sums)
    expect(known.length).toBeGreaterThan(2)
    await database.run(`DELETE FROM log_sums WHERE ${ofTwo}`)
    await database.run('DELETE FROM schema_steps WHERE name IN (:steps)', { steps })
    expect(await migrate(database, quietLog)).toEqual(steps)
    expect(await database.select(sums)).toEqual(known)
    await expectTrue()
  })

  it('is known whole after that', async () => {
    const { database } = test
    await sum()
    await expectTrue()
    const [found] = await database.select(
      `SELECT (SELECT CAST(SUM(row_count) AS BIGINT) FROM log_owners WHERE kind = 'user') - (SELECT COUNT(*) FROM logs) AS missing,
         (SELECT COUNT(*) FROM log_owners WHERE paired_id < (SELECT MAX(id) FROM logs) AND row_count >= 50) AS unpaired`,
    )
    expect(found).toEqual({ missing: 0, unpaired: 0 })
  })
})
