// Calls of a node that others took for dead, while it goes on: its leases went back to their balances.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  createPostgres,
  hasPostgres,
  quietLog,
  type TestDatabase,
} from '../../../test/harness/databases.ts'
import { gateTo } from '../../../test/harness/faults/tcp-gate.ts'
import { quietEvents } from '../../../test/harness/quiet-events.ts'
import { openDatabase } from '../../data/database.ts'
import type { Database } from '../../data/database.ts'
import { Ledger } from './ledger.ts'

const balance = 1_000_000

describe.runIf(hasPostgres)('a node that was taken for dead', () => {
  let test: TestDatabase
  let otherDatabase: Database
  let ledger: Ledger
  let other: Ledger

  beforeEach(async () => {
    test = await createPostgres()
    await test.database.run(`INSERT INTO users (id, username) VALUES (1, 'spender')`)
    await test.database.run(
      `INSERT INTO tokens (id, user_id, "key", key_hash, created_time, accessed_time, remain_quota)
      VALUES (1, 1, '', '', 0, 0, 1000)`,
    )
    ledger = await openLedger('cut off')
    await test.database.transaction((transaction) =>
      ledger.change({ userId: 1, units: balance, kind: 'topup', ref: 'start', transaction }),
    )
    otherDatabase = await openDatabase(test.settings)
    other = await openLedger('other', otherDatabase)
  })

  afterEach(async () => {
    vi.useRealTimers()
    await ledger.close()
    await other.close()
    expect(await ledger.verify()).toMatchObject({ faults: [] })
    expect(await numberOf('SELECT leased AS number FROM users')).toBe(0)
    expect(await numberOf('SELECT leased AS number FROM tokens')).toBe(0)
    await otherDatabase.close()
    await test.close()
  })

  function openLedger(nodeId: string, database = test.database): Promise<Ledger> {
    return Ledger.open({ database, nodeId, log: quietLog, events: quietEvents })
  }

  function reserve(requestId: string, units: number, isTokenLimited = false) {
    return ledger.reserve({ requestId, userId: 1, tokenId: 1, isTokenLimited, units })
  }

  const settle = (call: Awaited<ReturnType<typeof reserve>>, units: number) =>
    ledger.settle(call, { units, channelId: 0 })

  async function numberOf(sql: string): Promise<number> {
    return (await test.database.select<{ number: number }>(sql))[0]?.number ?? 0
  }

  async function takeForDead(): Promise<void> {
    await test.database.select(
      `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
      WHERE application_name = 'tollgate ledger' AND datname = current_database()`,
    )
    await other.settle(
      await other.reserve({
        requestId: 'of the other',
        userId: 1,
        tokenId: 0,
        isTokenLimited: false,
        units: 1,
      }),
      { units: 1, channelId: 0 },
    )
    expect(await other.recover()).toBe(1)
    await other.returnIdleLeases(0)
  }

  it('serves a call that waits for units while it enters again', async () => {
    const first = await reserve('answered', 10)
    await takeForDead()
    const isIn = () => numberOf(`SELECT COUNT(*) AS number FROM nodes WHERE id = 'cut off'`)
    const { promise: unlocked, resolve: unlock } = Promise.withResolvers<undefined>()
    const { promise: locked, resolve: lock } = Promise.withResolvers<undefined>()
    const holding = otherDatabase.transaction(async (transaction) => {
      await otherDatabase.select('SELECT id FROM users FOR UPDATE', undefined, transaction)
      lock(undefined)
      await unlocked
    })
    await locked
    // More than the lease had, so that it grows, which the lock delays.
    const waiting = reserve('waits', balance / 2)
    const settled = settle(first, 10)
    await expect.poll(isIn).toBe(1)
    unlock(undefined)
    await Promise.all([holding, settled])
    await settle(await waiting, 5)
    expect(await ledger.balance(1)).toBe(balance - 1 - 10 - 5)
    // All of it can be spent: nothing stays leased that nobody knows of.
    const rest = balance - 16
    await settle(await reserve('all of it', rest), rest)
  })

  it.each([
    ['its own is two days behind', -172_800_000, 0],
    ['that of the other node is two days ahead', 0, 172_800_000],
  ])(
    'writes the batch once whose answer it has not heard, where the clock is wrong: %s',
    async (_which, own, others) => {
      const gate = await gateTo(test.settings.url ?? '')
      const database = await openDatabase({ ...test.settings, url: gate.url, silenceLookMs: 100 })
      const unheard = await openLedger('unheard', database)
      const call = {
        requestId: 'answered',
        userId: 1,
        tokenId: 0,
        isTokenLimited: false,
        units: 30,
      }
      const reservation = await unheard.reserve(call)
      const now = Date.now()
      vi.useFakeTimers({ toFake: ['Date'], now: now + own })
      gate.hold('answers')
      const settled = unheard.settle(reservation, { units: 30, channelId: 0 })
      const consumed = () =>
        numberOf('SELECT COUNT(*) AS number FROM ledger_entries WHERE amount = -30')
      await expect.poll(consumed).toBe(1)
      gate.shut()
      vi.setSystemTime(now + others)
      await expect.poll(() => other.recover()).toBe(1)
      vi.useRealTimers()
      gate.open()
      await settled
      expect(await consumed()).toBe(1)
      expect(await other.balance(1)).toBe(balance - 30)
      await unheard.close()
      await database.close()
      await gate.close()
    },
  )

  it.each([false, true])(
    'lets a call go on that needs more, token limited: %s',
    async (isLimited) => {
      const [live, first] = [await reserve('live', 100, isLimited), await reserve('answered', 10)]
      await takeForDead()
      await settle(first, 10)
      await Promise.all([ledger.extend(live, 40), ledger.extend(live, 60)])
      await expect(ledger.extend(live, 2 * balance)).rejects.toMatchObject({ status: 403 })
      await settle(live, 200)
      expect(await ledger.balance(1)).toBe(balance - 1 - 10 - 200)
      expect(await numberOf('SELECT remain_quota AS number FROM tokens')).toBe(1000 - 10 - 200)
    },
  )

  it('holds no more for a call that ends while it is extended', async () => {
    const [live, first] = [await reserve('live', 100), await reserve('answered', 10)]
    await takeForDead()
    await settle(first, 10)
    const extended = expect(ledger.extend(live, 40)).rejects.toThrow('was settled while')
    await settle(live, 30)
    await extended
    const rest = balance - 41
    await settle(await reserve('all of it', rest), rest)
  })
})
