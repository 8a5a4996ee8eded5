import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databaseKinds, type TestDatabase } from '../../test/harness/databases.ts'
import type { UsageLogQuery, UsageLogService } from '../contract/money-services.ts'
import { sumNewLogs } from './sum-new-logs-sql.ts'
import { createUsageLog } from './usage-log.ts'

const start = 1_750_032_000
const SECONDS = 7

/** What is asked for, and the same in words of SQL. */
const filters: readonly (readonly [UsageLogQuery, string])[] = [
  [{}, 'TRUE'],
  [{ userId: 1 }, 'user_id = 1'],
  [{ username: 'ann' }, 'user_id = 1'],
  [{ channelId: 3 }, 'channel_id = 3'],
  [{ modelName: 'm-2' }, `model_name = 'm-2'`],
  [{ modelName: 'm-%' }, `model_name <> ''`],
  [{ group: 'vip' }, `"group" = 'vip'`],
  [{ group: 'default' }, `"group" = 'default'`],
  [{ tokenName: 't-1' }, `token_name = 't-1'`],
  [{ userId: 1, group: 'vip' }, `user_id = 1 AND "group" = 'vip'`],
  [{ channelId: 3, tokenName: 't-1' }, `channel_id = 3 AND token_name = 't-1'`],
  [{ userId: 1, modelName: 'm-2' }, `user_id = 1 AND model_name = 'm-2'`],
  [{ userId: 1, type: 2 }, 'user_id = 1 AND type = 2'],
  [{ channelId: 3, type: 2 }, 'channel_id = 3 AND type = 2'],
  [{ modelName: 'm-2', type: 2 }, `model_name = 'm-2' AND type = 2`],
  [{ username: 'ann', modelName: 'm-%', type: 2 }, `user_id = 1 AND model_name <> '' AND type = 2`],
  [{ userId: 1, tokenName: 't-1', type: 2 }, `user_id = 1 AND token_name = 't-1' AND type = 2`],
]

describe.each(databaseKinds)('totals, of a span too, on $name', ({ create }) => {
  let test: TestDatabase
  let log: UsageLogService
  let asked: string[] = []
  let seed = 20_261_123
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((seed / 2_147_483_648) * below)
  }

  beforeAll(async () => {
    test = await create()
    const { database } = test
    const select: typeof database.select = (sql, values, transaction) => {
      asked.push(sql)
      return database.select(sql, values, transaction)
    }
    log = createUsageLog({ database: { ...database, select }, settleMs: 0 })
    await database.run(`INSERT INTO users (id, username) VALUES (1, 'ann'), (2, 'bob')`)
    await database.run(`INSERT INTO log_models (name) VALUES ('m-0'), ('m-1'), ('m-2')`)
  })
  afterAll(() => test.close())

  /** In the order of time, more or less. */
  async function write(count: number, from: number) {
    const rows = Array.from({ length: count }, (_, at) => {
      const user = 1 + random(2)
      const time = from + at * SECONDS + random(30)
      const group = random(4) === 0 ? 'vip' : 'default'
      return `(${user}, '${user === 1 ? 'ann' : 'bob'}', ${time}, ${random(5) === 0 ? 5 : 2}, 't-${random(3)}', 'm-${random(3)}', ${random(5)}, '${group}', 1)`
    })
    await test.database.run(
      `INSERT INTO logs (user_id, username, created_at, type, token_name, model_name, channel_id, "group", quota) VALUES ${rows.join(', ')}`,
    )
  }

  let round = 0

  /** @returns how many totals counted rows without looking at their time */
  async function expectTrue(): Promise<number> {
    let inside = 0
    round += 1
    const ends = Array.from({ length: 6 }, () => start + random(40_000)).toSorted((a, b) => a - b)
    const spans: { start?: number | undefined; end?: number | undefined }[] = [
      { start: ends[0], end: ends[3] },
      { start: ends[1], end: ends[5] },
      { start: ends[2] },
      { end: ends[4] },
      { start: start + 900, end: start + 19_799 },
      { start: start + 950, end: start + 1_000 },
      { start: start - 50_000, end: start + 90_000 },
      {},
    ]
    for (const [at, [filter, where]] of filters.entries()) {
      // Half of them, the others in the next round.
      for (const { start: from, end: to } of spans.filter((_, of) => (at + of + round) % 2 === 0)) {
        const inSpan = `created_at BETWEEN ${from ?? 0} AND ${to ?? 9_999_999_999}`
        const [counted] = await test.database.select<{ rows: number }>(
          `SELECT COUNT(*) AS rows FROM logs WHERE ${where} AND ${inSpan}`,
        )
        const query = {
          ...filter,
          ...(from === undefined ? {} : { start: from }),
          ...(to === undefined ? {} : { end: to }),
        }
        asked = []
        const { total } = await log.list(query, { page: 1, pageSize: 1 })
        expect({ query, total }).toEqual({ query, total: counted?.rows })
        if (asked.some((sql) => sql.includes(':insideFirst'))) inside += 1
      }
    }
    return inside
  }

  const sum = () => sumNewLogs(test.database, { settleMs: 0 })

  it('are right with nothing summed', async () => {
    await write(4_000, start)
    await expectTrue()
  })

  it('are right with all summed', async () => {
    await sum()
    expect(await expectTrue()).toBeGreaterThan(25)
  })

  it('are right with newer rows, and with older ones that came later', async () => {
    await write(1_500, start + 4_000 * SECONDS)
    await expectTrue()
    await write(1_500, start - 5_000)
    await expectTrue()
  })

  it('are right when those are summed', async () => {
    await sum()
    await expectTrue()
  })

  it('are right when the oldest are deleted', async () => {
    await log.deleteBefore(start + 7_000)
    await expectTrue()
    await write(500, start + 6_000 * SECONDS)
    await expectTrue()
  })
})
