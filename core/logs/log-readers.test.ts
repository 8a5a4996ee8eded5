import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { databaseKinds, quietLog, type TestDatabase } from '../../test/harness/databases.ts'
import type { Job } from '../contract/plugin.ts'
import { logCuts } from './log-clearing-sql.ts'
import { sumNewLogs } from './sum-new-logs-sql.ts'
import { createUsageLog } from './usage-log.ts'

const start = 1_750_032_000
type ReadLog = NonNullable<Job['readLog']>

describe.each(databaseKinds)('what reads the log before rows are deleted, on $name', (kind) => {
  let test: TestDatabase
  let faults: { fields: object; message: string | undefined }[]

  beforeAll(async () => {
    test = await kind.create()
  })
  beforeEach(async () => {
    faults = []
    await clearing().deleteBefore(start + 999_999)
  })
  afterAll(() => test.close())

  const log = {
    ...quietLog,
    error: (fields: object, message?: string) => void faults.push({ fields, message }),
  }

  function clearing(readers: Record<string, ReadLog> = {}, limits: { partMs?: number } = {}) {
    const jobs = Object.entries(readers).map(([id, readLog]) => ({
      owner: `plugin-${id}`,
      entry: { id, everyMs: 0, run: () => Promise.resolve(), readLog },
    }))
    return createUsageLog({
      database: test.database,
      settleMs: 0,
      readers: { log, jobs: () => jobs, ...limits },
    })
  }

  const write = (count: number, at = start) =>
    test.database.run(
      `WITH RECURSIVE series (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM series WHERE n < :count)
       INSERT INTO logs (user_id, username, created_at, type, quota) SELECT 1, 'ann', CAST(:at AS BIGINT) + n, 2, 1 FROM series`,
      { count, at },
    )
  const ids = async () => {
    const rows = await test.database.select<{ id: number }>('SELECT id FROM logs ORDER BY id')
    return rows.map(({ id }) => id)
  }

  /** Reads parts of so many rows, and keeps the ids. */
  function counting(size: number) {
    const read: number[] = []
    const readLog: ReadLog = async (id) => {
      const rows = await test.database.select<{ id: number }>(
        'SELECT id FROM logs WHERE id > :from AND id <= :id ORDER BY id LIMIT :size',
        { from: read.at(-1) ?? 0, id, size },
      )
      read.push(...rows.map((row) => row.id))
      return rows.length < size ? id : (read.at(-1) ?? id)
    }
    return { read, readLog }
  }

  it.each([true, false])(
    'has read each row that goes, in parts (rows summed: %s)',
    async (isSummed) => {
      await write(25)
      if (isSummed) await sumNewLogs(test.database, { settleMs: 0 })
      await write(5, start + 5_000)
      const all = await ids()
      const { read, readLog } = counting(10)
      const seen: number[][] = []
      const watched: ReadLog = async (...asked) => {
        const reached = await readLog(...asked)
        seen.push(await ids())
        return reached
      }
      expect(await clearing({ count: watched }).deleteBefore(start + 1_000)).toBe(25)
      expect(read.slice(0, 25)).toEqual(all.slice(0, 25))
      expect(seen.slice(0, 3)).toEqual([all, all, all])
      expect(await ids()).toEqual(all.slice(25))
      expect(faults).toEqual([])
    },
  )

  it('has read rows that come while others are deleted', async () => {
    await write(10)
    const { read, readLog } = counting(100)
    let late = 0
    const meanwhile: ReadLog = async (...asked) => {
      const reached = await readLog(...asked)
      if (late++ < 2) await write(3, start + 100)
      return reached
    }
    const usageLog = clearing({ count: meanwhile })
    expect(await usageLog.deleteBefore(start + 1_000)).toBe(16)
    expect(new Set(read).size).toBe(16)
  })

  const never = () => new Promise<number>(() => undefined)
  it.each<[string, ReadLog, RegExp]>([
    ['throws', () => Promise.reject(new Error('broken')), /broken/],
    ['hangs', never, /readLog\(\) took longer than/],
    ['gets no further', () => Promise.resolve(0), /gets no further/],
    ['says no number', () => Promise.resolve(Number.NaN), /gets no further/],
    [
      'throws at once',
      () => {
        throw new Error('at once')
      },
      /at once/,
    ],
  ])('is passed over and named when it %s, and others are not', async (_what, readLog, fault) => {
    await write(12)
    const sound = counting(5)
    // Only the hanging one may need as long, however busy the machine is.
    const limits = readLog === never ? { partMs: 2_000 } : {}
    const usageLog = clearing({ broken: readLog, sound: sound.readLog }, limits)
    expect(await usageLog.deleteBefore(start + 1_000)).toBe(12)
    expect(sound.read).toHaveLength(12)
    expect(faults).toHaveLength(1)
    const [{ fields } = { fields: {} }] = faults
    expect(fields).toMatchObject({ plugin: 'plugin-broken', job: 'broken' })
    expect(fields).toHaveProperty('err.message', expect.stringMatching(fault))
  })

  it('ends for one that is told to end, between two slices', async () => {
    await write(2_000)
    const abort = new AbortController()
    const counts: number[] = []
    const watch = {
      signal: abort.signal,
      onProgress: (count: number) => {
        counts.push(count)
        abort.abort()
      },
    }
    const gone = await clearing().deleteBefore(start + 9_999, undefined, watch)
    expect(counts).toEqual([gone])
    expect((await ids()).length).toBe(2_000 - gone)
    expect(gone).toBeLessThan(2_000)
  })

  it('can tell rows from older ones whose ids they have', async () => {
    const cuts = () => logCuts(test.database)
    const before = (await cuts()).count
    await write(3)
    await write(3, start + 5_000)
    await clearing().deleteBefore(start + 1_000)
    expect((await cuts()).count).toBe(before)
    const [left = 0] = await ids()
    await clearing().deleteBefore(start + 9_000)
    await write(1)
    const [given = 0] = await ids()
    const isAnew = given <= left
    expect(await cuts()).toMatchObject(isAnew ? { count: before + 1, after: 0 } : { count: before })
    expect(isAnew).toBe(test.database.dialect === 'sqlite')
  })
})
