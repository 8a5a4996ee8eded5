import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Ledger } from '../billing/ledger/ledger.ts'
import type { LogRow, UsageLogQuery, UsageLogService } from '../contract/money-services.ts'
import { databaseKinds, quietLog, type TestDatabase } from '../../test/harness/databases.ts'
import { quietEvents } from '../../test/harness/quiet-events.ts'
import { createUsageLog } from './usage-log.ts'

const firstPage = { page: 1, pageSize: 10 }

describe.each(databaseKinds)('the usage log on $name', ({ create }) => {
  let test: TestDatabase
  let ledger: Ledger
  let log: UsageLogService

  beforeAll(async () => {
    test = await create()
    ledger = await Ledger.open({
      database: test.database,
      nodeId: 'n',
      log: quietLog,
      events: quietEvents,
    })
    log = createUsageLog({ database: test.database, settleMs: 0 })
    await test.database.run(`INSERT INTO users (id, username) VALUES (1, 'ann'), (2, 'bob')`)
    await test.database.run(
      `INSERT INTO channels (id, type, "key", name, created_time) VALUES (5, 1, '', 'main', 0)`,
    )
    await test.database.run(
      `INSERT INTO tokens (id, user_id, "key", key_hash, created_time, accessed_time) VALUES (9, 1, '', '', 0, 0)`,
    )
  })

  beforeEach(() => write(rows))
  afterEach(() => log.deleteBefore(9_999_999_999))
  afterAll(async () => {
    await ledger.close()
    await test.close()
  })

  const base = { user_id: 1, type: 2, content: '' }
  const rows: (Partial<LogRow> & typeof base)[] = [
    {
      ...base,
      content: 'Model ratio 1',
      created_at: 100,
      model_name: 'gpt-4o',
      quota: 10,
      request_id: 'r100',
      token_name: 'a',
      token_id: 9,
    },
    {
      ...base,
      content: 'Model ratio 1',
      created_at: 200,
      model_name: 'gpt-4o-mini',
      quota: 20,
      channel_id: 5,
      group: 'vip',
    },
    { ...base, user_id: 2, created_at: 300, model_name: 'claude_3', quota: 30, is_stream: true },
    { ...base, created_at: 400, type: 5, content: 'Status 502: 100%_down!', model_name: 'GPT-4o' },
    { ...base, user_id: 2, created_at: 500, type: 1, content: 'redeemed' },
  ]

  async function write(rows: (Partial<LogRow> & typeof base)[]): Promise<void> {
    for (const row of rows) ledger.logs.write(row)
    await ledger.flush()
  }

  async function times(query: UsageLogQuery, page = firstPage): Promise<unknown[]> {
    return (await log.list(query, page)).items.map((row) => row.created_at)
  }

  it.each([
    [{}, [500, 400, 300, 200, 100]],
    [{ requestId: 'r100' }, [100]],
    [{ requestId: 'r100', userId: 2 }, []],
    [{ requestId: 'r10' }, []],
    [{ type: 2 }, [300, 200, 100]],
    [{ userId: 2 }, [500, 300]],
    [{ username: 'ann' }, [400, 200, 100]],
    [{ username: 'nobody' }, []],
    [{ tokenName: 'a' }, [100]],
    [{ tokenId: 9 }, [100]],
    [{ channelId: 5 }, [200]],
    [{ group: 'vip' }, [200]],
    [{ start: 200, end: 400 }, [400, 300, 200]],
    [{ start: 200, end: 400, userId: 1 }, [400, 200]],
    [{ modelName: 'gpt-4o' }, [400, 100]],
    [{ modelName: 'GPT%' }, [400, 200, 100]],
    [{ modelName: '%4%m%' }, [200]],
    [{ modelName: 'claude_3' }, [300]],
    [{ modelName: 'claude%_3' }, [300]],
    [{ modelName: 'gpt_4o' }, []],
    [{ modelName: '%o%o%' }, []],
    [{ modelName: '%' }, [500, 400, 300, 200, 100]],
    [{ modelName: "x' OR '1'='1" }, []],
    [{ userId: 1, group: 'vip', channelId: 5 }, [200]],
    [{ userId: 2, modelName: 'gpt%' }, []],
    [{ username: 'ann', tokenName: 'a', modelName: 'gpt-4o' }, [100]],
  ] as [UsageLogQuery, number[]][])(
    'lists what %j asks for, newest first',
    async (query, found) => {
      expect(await times(query)).toEqual(found)
      const { total, total_exact } = await log.list(query, firstPage)
      expect({ total, total_exact }).toEqual({ total: found.length, total_exact: true })
    },
  )

  it('gives rows as the wire has them', async () => {
    const { items } = await log.list({ start: 200, end: 300 }, firstPage)
    expect(items).toMatchObject([
      { username: 'bob', is_stream: true, channel: 0, channel_name: '', other: '' },
      { username: 'ann', is_stream: false, channel: 5, channel_name: 'main', group: 'vip' },
    ])
    expect(items[0]).not.toHaveProperty('channel_id')
  })

  it('pages, and gives an empty page past the end', async () => {
    expect(await times({}, { page: 2, pageSize: 2 })).toEqual([300, 200])
    expect(await times({}, { page: 9, pageSize: 2 })).toEqual([])
  })

  it('stops counting at 10 000 matches and says so', async () => {
    const many = Array.from({ length: 10_001 }, () => ({ ...base, created_at: 50 }))
    await write(many)
    const { total, total_exact } = await log.list({ end: 50 }, firstPage)
    expect({ total, total_exact }).toEqual({ total: 10_000, total_exact: false })
    expect(await log.deleteBefore(51)).toBe(10_001)
    expect(await times({})).toEqual([500, 400, 300, 200, 100])
  })

  it.each([
    [{}, [500, 400, 300, 200, 100]],
    [{ end: 400 }, [400, 300, 200, 100]],
    [{ userId: 1, start: 1 }, [400, 200, 100]],
    [{ modelName: 'none%' }, []],
  ] as [UsageLogQuery, number[]][])('gives all of %j in slices', async (query, found) => {
    const slices: unknown[][] = []
    for await (const slice of log.slices(query, 2)) slices.push(slice.map((row) => row.created_at))
    expect(slices.flat()).toEqual(found)
    expect(slices.every((slice) => slice.length <= 2)).toBe(true)
  })

  it('loses no row of a second at the edge of a slice', async () => {
    await write(Array.from({ length: 5 }, () => ({ ...base, created_at: 250 })))
    const ids: number[] = []
    for await (const slice of log.slices({ start: 250, end: 250 }, 2))
      ids.push(...slice.map((row) => row.id))
    expect(new Set(ids).size).toBe(5)
    expect(ids).toHaveLength(5)
  })

  it('does not count what channel tests would have cost', async () => {
    await write([{ ...base, created_at: 150, quota: 99, token_name: 'channel test' }])
    expect(await log.stat({ start: 150, end: 150 })).toMatchObject({ quota: 0 })
    // A token may be called so.
    await write([{ ...base, created_at: 150, quota: 7, token_name: 'channel test', token_id: 9 }])
    expect(await log.stat({ start: 150, end: 150 })).toMatchObject({ quota: 7 })
  })

  it('names channels that still exist', async () => {
    expect(await log.channelNames([5, 6, 0, 5])).toEqual(new Map([[5, 'main']]))
    expect(await log.channelNames([])).toEqual(new Map())
  })

  it('sums consumption over the filters, and rates over the last minute alone', async () => {
    const now = Math.floor(Date.now() / 1000)
    const counts = { prompt_tokens: 7, completion_tokens: 3 }
    await write([{ ...base, created_at: now, quota: 5, ...counts }])
    await write([{ ...base, created_at: now, type: 5, quota: 0, ...counts }])
    expect(await log.stat({ userId: 1 })).toEqual({ quota: 35, rpm: 1, tpm: 10 })
    expect(await log.stat({ type: 5, start: 200, end: 300 })).toEqual({
      quota: 50,
      rpm: 1,
      tpm: 10,
    })
    expect(await log.stat({ userId: 2 })).toEqual({ quota: 30, rpm: 0, tpm: 0 })
    expect(await log.stat({ requestId: 'r100' })).toEqual({ quota: 10, rpm: 0, tpm: 0 })
    expect(await log.stat({ modelName: 'none%' })).toEqual({ quota: 0, rpm: 0, tpm: 0 })
  })

  it.each([
    ['5', undefined, [400]],
    ['status 502: 100%', undefined, [400]],
    ['status 502: 100_', undefined, []],
    ['%', undefined, []],
    [`status 502: ${'100% '.repeat(30)}`, undefined, []],
    ['model', undefined, [200, 100]],
    ['2', 1, [200, 100]],
    ['status', 1, []],
  ])(
    'finds %j of user %s by type, and for admins by the beginning',
    async (keyword, userId, found) => {
      expect((await log.search(keyword, userId)).map((row) => row.created_at)).toEqual(found)
    },
  )
})
