import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createSqlite, quietLog, type TestDatabase } from '../../../test/harness/databases.ts'
import { quietEvents } from '../../../test/harness/quiet-events.ts'
import { Ledger } from './ledger.ts'
import { LedgerPulse } from './ledger-pulse.ts'

describe.each(['sqlite3', 'node:sqlite'] as const)('with %s', (driver) => {
  let test: TestDatabase
  let ledger: Ledger
  let userId: number
  let calls = 0

  beforeEach(async () => {
    test = await createSqlite(driver)
    ledger = await Ledger.open({
      database: test.database,
      nodeId: 'node',
      log: quietLog,
      events: quietEvents,
    })
    const sql = `INSERT INTO users (username) VALUES ('ada') RETURNING id`
    userId = (await test.database.select<{ id: number }>(sql))[0]?.id ?? 0
    await test.database.transaction((transaction) =>
      ledger.change({ userId, units: 1_000_000, kind: 'topup', ref: 'start', transaction }),
    )
  })

  afterEach(async () => {
    await ledger.close()
    expect(await ledger.verify()).toMatchObject({ faults: [] })
    await test.close()
  })

  const reserve = () =>
    ledger.reserve({
      requestId: `request ${(calls += 1)}`,
      userId,
      tokenId: 0,
      isTokenLimited: false,
      units: 1_000,
    })

  /** The page limit belongs to the connection of the ledger's writes, which the batch uses. */
  const limitPages = (pages: number) =>
    test.database.batch([{ sql: `PRAGMA max_page_count = ${pages}` }])

  it('a full disk lets no call in, and charges those under way once when there is room again', async () => {
    const open = await reserve()
    await limitPages(1)
    const log = { user_id: userId, type: 2, content: 'x'.repeat(100_000) } as never
    const settled = ledger.settle(open, { units: 700, channelId: 0, log })
    await expect.poll(() => ledger.isAlive).toBe(false)
    // The lease has units enough; they could not be paid with.
    await expect(reserve()).rejects.toMatchObject({
      code: 'server.database_away',
      status: 503,
      relayCode: 'database_away',
      headers: { 'retry-after': '5' },
    })
    await limitPages(1_000_000)
    await settled
    expect(ledger.isAlive).toBe(true)
    await ledger.release(await reserve())
    expect(await ledger.balance(userId)).toBe(1_000_000 - 700)
    const sql = `SELECT amount FROM ledger_entries WHERE kind = 'consume'`
    expect(await test.database.select(sql)).toEqual([{ amount: -700 }])
  })

  it('a full disk is waited for at a stop, since the calls that it holds up were answered', async () => {
    const log = { user_id: userId, type: 2, content: 'x'.repeat(100_000) } as never
    const open = await reserve()
    await limitPages(1)
    const settled = ledger.settle(open, { units: 700, channelId: 0, log })
    await expect.poll(() => ledger.isAlive).toBe(false)
    const tries = vi.spyOn(test.database, 'batch')
    const closed = ledger.close()
    await expect.poll(() => tries.mock.calls.length).toBeGreaterThan(1)
    await limitPages(1_000_000)
    await Promise.all([closed, settled])
    expect(await ledger.balance(userId)).toBe(1_000_000 - 700)
  })

  it.each(['moved away', 'replaced'])(
    'a file that is %s lets no call in, until it is put back',
    async (how) => {
      const file = join(test.settings.dataDir, 'tollgate.db')
      const open = await reserve()
      renameSync(file, `${file}.moved`)
      if (how === 'replaced') writeFileSync(file, '')
      const settled = ledger.settle(open, { units: 700, channelId: 0, log: undefined })
      await expect.poll(() => ledger.isAlive).toBe(false)
      await expect(reserve()).rejects.toMatchObject({ code: 'server.database_away' })
      await expect(
        test.database.transaction((transaction) =>
          ledger.change({ userId, units: 5, kind: 'topup', ref: 'lost', transaction }),
        ),
      ).rejects.toMatchObject({ code: 'server.database_away' })
      renameSync(`${file}.moved`, file)
      await settled
      expect(await ledger.balance(userId)).toBe(1_000_000 - 700)
    },
  )
})

describe('the pulse of a ledger', () => {
  const away = Object.assign(new Error('disk'), { code: 'SQLITE_IOERR' })

  it('is back when a probe could write after a lease could not', async () => {
    vi.useFakeTimers()
    const results = [() => Promise.reject(away), () => Promise.resolve()]
    const pulse = new LedgerPulse({
      probe: () => (results.shift() ?? expect.fail)(),
      waitedMs: () => undefined,
      log: quietLog,
    })
    pulse.leaseFailed(new Error('a fault of the statement'))
    expect(pulse.isAlive).toBe(true)
    pulse.leaseFailed(away)
    await vi.advanceTimersByTimeAsync(600)
    expect(pulse.isAlive).toBe(false)
    await vi.advanceTimersByTimeAsync(600)
    expect(pulse.isAlive).toBe(true)
    expect(results).toEqual([])
    vi.useRealTimers()
  })

  it('is gone while a write neither ends nor fails', () => {
    let waitedMs: number | undefined
    const pulse = new LedgerPulse({
      probe: expect.fail,
      waitedMs: () => waitedMs,
      log: quietLog,
    })
    waitedMs = 4_500
    expect(pulse.isAlive).toBe(true)
    waitedMs = 5_000
    expect(pulse.isAlive).toBe(false)
    // Whether the database is there, nobody knows.
    expect(pulse.refusal).toMatchObject({ code: 'server.database_slow', status: 503 })
    pulse.batchFailed(away)
    expect(pulse.refusal).toMatchObject({ code: 'server.database_away' })
    pulse.batchWritten()
    waitedMs = undefined
    expect(pulse.isAlive).toBe(true)
    expect(pulse.refusal).toBeUndefined()
  })
})
