import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Ledger } from '../billing/ledger/ledger.ts'
import type { UsageLogQuery, UsageLogService } from '../contract/money-services.ts'
import { databaseKinds, quietLog, type TestDatabase } from '../../test/harness/databases.ts'
import { sumNewLogs } from './log-sums-sql.ts'
import { createUsageLog } from './usage-log.ts'

const events = { emit: () => undefined, on: () => () => undefined }
const DAY_SECONDS = 86_400
/** A midnight, in seconds. */
const start = 1_750_032_000

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
  { modelName: 'never' },
  { channelId: 2, modelName: 'model-1' },
]

describe.each(databaseKinds)('what was spent, on $name', ({ create }) => {
  let test: TestDatabase
  let ledger: Ledger
  let log: UsageLogService
  let written = 0

  beforeAll(async () => {
    test = await create()
    ledger = await Ledger.open({ database: test.database, nodeId: 'n', log: quietLog, events })
    log = createUsageLog({ database: test.database })
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
        model_name: `model-${mixed(at, 3)}`,
        token_name: mixed(at, 11) === 0 ? 'channel test' : `t${mixed(at, 3)}`,
        channel_id: mixed(at, 4),
        group: mixed(at, 5) === 0 ? 'vip' : 'default',
        quota: 1 + mixed(at, 1_000),
      })
    }
    await ledger.flush()
  }

  /** The same from the rows themselves, read without a span. */
  async function fromRows({ start: from = 0, end, ...filter }: UsageLogQuery) {
    const found = { quota: 0, ids: [] as number[] }
    for await (const rows of log.slices({ ...filter, type: 2 }, 500)) {
      for (const row of rows) {
        if (row.created_at < from || row.created_at > (end ?? Infinity)) continue
        found.ids.push(row.id)
        if (row.token_id > 0 || row.token_name !== 'channel test') found.quota += row.quota
      }
    }
    return found
  }

  async function listed(query: UsageLogQuery): Promise<number[]> {
    const { items } = await log.list({ ...query, type: 2 }, { page: 1, pageSize: 1_000 })
    return items.map(({ id }) => id)
  }

  async function expectTrue(): Promise<void> {
    for (const span of queries) {
      for (const filter of filters) {
        const query = { ...span, ...filter }
        const { quota } = await log.stat(query)
        expect({ query, quota, ids: await listed(query) }).toEqual({
          query,
          ...(await fromRows(query)),
        })
      }
    }
  }

  const sum = () => sumNewLogs(test.database, { settleMs: 0 })

  it('is the same with no row, with some rows and with all rows summed', async () => {
    await write(300)
    await expectTrue()
    await sum()
    await expectTrue()
    await write(200)
    await expectTrue()
    await Promise.all([sum(), sum(), sum()])
    await expectTrue()
    const [left] = await test.database.select<{ rows: number }>(
      'SELECT COUNT(*) AS rows FROM logs WHERE id > (SELECT last_id FROM log_progress)',
    )
    expect(left?.rows).toBe(0)
  })

  it('is the same when old rows are deleted, at any second, and new ones come', async () => {
    const time = start + DAY_SECONDS + 4_321
    const counts: number[] = []
    do counts.push(await log.deleteBefore(time, 60))
    while (counts.at(-1) === 60)
    expect(counts.length).toBeGreaterThan(1)
    expect(await listed({ end: time - 1 })).toEqual([])
    await expectTrue()
    await write(100)
    await log.deleteBefore(start + 2 * DAY_SECONDS)
    await sum()
    await expectTrue()
    await log.deleteBefore(start + 99 * DAY_SECONDS)
    expect(await log.stat({})).toMatchObject({ quota: 0 })
    await write(150)
    await expectTrue()
    await sum()
    await expectTrue()
  })
})
