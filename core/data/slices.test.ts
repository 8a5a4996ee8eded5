import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { driverKinds, type TestDatabase } from '../../test/harness/databases.ts'
import { slicesBy, type SliceWay } from './slices.ts'

const limits = { first: 1_000, least: 100, most: 4_000 }

describe.each(driverKinds)('slices of a long work on $name', ({ create }) => {
  let test: TestDatabase

  beforeAll(async () => {
    test = await create()
    await test.database.run('CREATE TABLE sliced (id BIGINT)')
  })
  afterAll(() => test.close())

  const ids = async () => {
    const rows = await test.database.select<{ id: number }>('SELECT id FROM sliced ORDER BY id')
    return rows.map(({ id }) => id)
  }

  it('are transactions that tell how many rows they changed', async () => {
    const slices = test.database.slices(limits)
    const added = await slices.take(({ run }) =>
      run('INSERT INTO sliced (id) VALUES (1), (2), (3)'),
    )
    const changed = await slices.take(({ run }) =>
      run('UPDATE sliced SET id = id + :by WHERE id > :than', { by: 10, than: 1 }),
    )
    const failed = slices.take(async ({ run, select }) => {
      await run('DELETE FROM sliced')
      expect(await select('SELECT id FROM sliced')).toEqual([])
      throw new Error('broken off')
    })
    await expect(failed).rejects.toThrow('broken off')
    expect([added, changed, await ids()]).toEqual([3, 2, [1, 12, 13]])
  })

  it('refuse a write beside them that would wait for their end', async () => {
    const { database } = test
    const slice = database.slices(limits).take(() => database.run('DELETE FROM sliced'))
    await expect(slice).rejects.toThrow('was not given the transaction')
    await database.run('DELETE FROM sliced')
  })
})

describe('the pace of slices', () => {
  afterEach(() => vi.restoreAllMocks())

  function slicesOf(tookMs: number, isAwaited: boolean) {
    let nowMs = 0
    vi.spyOn(performance, 'now').mockImplementation(() => nowMs)
    const statements = { dialect: 'sqlite', select: async () => [], run: async () => 0 } as const
    const way: SliceWay = { transaction: (work) => work(statements), isAwaited: () => isAwaited }
    const slices = slicesBy(way)(limits)
    const take = () =>
      slices.take(async () => {
        nowMs += tookMs
      })
    return { slices, take }
  }

  it('follows what the last one took, within its limits', async () => {
    const { slices, take } = slicesOf(25, false)
    await take()
    expect(slices.rows).toBe(2_000)
    for (let left = 5; left > 0; left -= 1) await take()
    expect(slices.rows).toBe(4_000)
  })

  it('is ten times as short while others wait, who then have three times as long', async () => {
    const { slices, take } = slicesOf(10, true)
    const startedAtMs = Date.now()
    await take()
    // A timer may come a millisecond early.
    expect(Date.now() - startedAtMs).toBeGreaterThanOrEqual(29)
    expect(slices.rows).toBe(500)
    for (let left = 5; left > 0; left -= 1) await take()
    expect(slices.rows).toBe(100)
  })
})
