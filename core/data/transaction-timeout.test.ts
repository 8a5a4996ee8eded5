import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { driverKinds, type TestDatabase } from '../../test/harness/databases.ts'
import { LONGEST_PAUSE_MS } from './transaction-timeout.ts'

const add = `INSERT INTO options ("key", value) VALUES (:key, '')`

describe.each(driverKinds)('a transaction that waits for something else on $name', ({ create }) => {
  let test: TestDatabase

  beforeAll(async () => {
    test = await create()
  })
  afterAll(() => test.close())
  afterEach(() => {
    vi.useRealTimers()
  })

  const keys = async () => {
    const rows = await test.database.select<{ key: string }>('SELECT "key" FROM options')
    return rows.map(({ key }) => key)
  }

  /** Begins to write, and then waits for ever. */
  async function hangs(way: 'transaction' | 'brief' | 'slices') {
    const { database } = test
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    let late = (): Promise<unknown> => Promise.resolve()
    const wait = async (run: (sql: string, values: { key: string }) => Promise<unknown>) => {
      await run(add, { key: `${way} in time` })
      late = () => run(add, { key: `${way} too late` })
      begin()
      await new Promise(() => undefined)
    }
    const work =
      way === 'transaction'
        ? database.transaction((inside) => wait((sql, values) => database.run(sql, values, inside)))
        : way === 'brief'
          ? database.brief(({ run }) => wait(run))
          : database.slices({ first: 1, least: 1, most: 1 }).take(({ run }) => wait(run))
    await Promise.race([begun, work])
    vi.advanceTimersByTime(LONGEST_PAUSE_MS)
    await expect(work).rejects.toThrow('asked nothing of the database for 3000 ms')
    vi.useRealTimers()
    return { late: () => late() }
  }

  it.each(['transaction', 'brief', 'slices'] as const)(
    'is undone, by %s, and others write',
    async (way) => {
      const { late } = await hangs(way)
      await test.database.batch([
        { sql: `INSERT INTO options ("key", value) VALUES ('${way} of others', '')` },
      ])
      await expect(late()).rejects.toThrow(/is over|has been called on this transaction/)
      const found = (await keys()).filter((key) => key.startsWith(way))
      expect(found).toEqual([`${way} of others`])
    },
  )

  it('leaves its connection to others', async () => {
    for (let round = 0; round < 12; round += 1) {
      const work = test.database.transaction(() => new Promise(() => undefined), 1)
      await expect(work).rejects.toThrow('asked nothing of the database for 1 ms')
    }
    await test.database.transaction((inside) =>
      test.database.run(add, { key: 'after twelve' }, inside),
    )
    expect(await keys()).toContain('after twelve')
  })

  it('may take its time over what the database does', async () => {
    const { database } = test
    const long =
      database.dialect === 'postgres'
        ? 'SELECT pg_sleep(0.1)'
        : 'WITH RECURSIVE c (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 300000) SELECT COUNT(*) AS n FROM c'
    await database.transaction((inside) => database.select(long, {}, inside), 20)
  })
})
