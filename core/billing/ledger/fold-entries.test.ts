import { setImmediate as turnOfLoop } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { driverKinds, quietLog, type TestDatabase } from '../../../test/harness/databases.ts'
import { quietEvents } from '../../../test/harness/quiet-events.ts'
import { openDatabase } from '../../data/database.ts'
import { foldEntries } from './fold-entries-sql.ts'
import { Ledger } from './ledger.ts'

const old = 1_000
const young = 2_000
const quick = { before: 1_500 }
const byRows = (rows: number) => ({ first: rows, least: rows, most: rows })

describe.each(driverKinds)('carrying old entries forward on $name', ({ create }) => {
  let test: TestDatabase
  let ledger: Ledger

  beforeAll(async () => {
    test = await create()
    ledger = await Ledger.open({
      database: test.database,
      nodeId: 'n',
      log: quietLog,
      events: quietEvents,
    })
  })

  afterEach(async () => {
    await test.database.run('DELETE FROM ledger_entries')
    await test.database.run('DELETE FROM users')
  })

  afterAll(async () => {
    await ledger.close()
    await test.close()
  })

  interface Entry {
    user: number
    token?: number
    kind?: string
    ref?: string
    amount: number
    at?: number
  }

  /** Balances follow from them. */
  async function enter(entries: readonly Entry[]): Promise<void> {
    const balances = new Map<number, number>()
    for (const [
      place,
      { user, token = 1, kind = 'consume', amount, ...more },
    ] of entries.entries()) {
      const balance = (balances.get(user) ?? 0) + amount
      balances.set(user, balance)
      const { ref = `call-${place}`, at = old } = more
      await test.database.run(
        `INSERT INTO ledger_entries (user_id, token_id, kind, ref, amount, balance, created_at)
        VALUES (:user, :token, :kind, :ref, :amount, :balance, :at)`,
        { user, token, kind, ref, amount, balance, at },
      )
    }
    for (const [id, quota] of balances)
      await test.database.run(
        `INSERT INTO users (id, username, quota) VALUES (:id, :name, :quota)
        ON CONFLICT (id) DO UPDATE SET quota = users.quota + excluded.quota`,
        { id, name: `user-${id}`, quota },
      )
  }

  const shown = () =>
    test.database.select<object>(
      `SELECT user_id, token_id, kind, ref, amount, balance, created_at FROM ledger_entries
      ORDER BY user_id, kind, token_id, ref`,
    )

  it('makes one entry of a user and token, and leaves what is young or no call', async () => {
    await enter([
      { user: 1, kind: 'topup', ref: 'order:1', amount: 100 },
      { user: 1, amount: -10, at: old },
      { user: 1, amount: -20, at: old + 5 },
      { user: 2, kind: 'gift', ref: 'g', amount: 50 },
      { user: 2, token: 7, amount: -1 },
      { user: 1, token: 2, amount: -30 },
      { user: 1, kind: 'refund', ref: 'task:1', amount: 30 },
      { user: 1, amount: -5, at: young },
    ])
    expect(await foldEntries(test.database, quick)).toBe(4)
    const entry = (user_id: number, token_id: number, kind: string, ref: string) => ({
      user_id,
      token_id,
      kind,
      ref,
    })
    expect(await shown()).toEqual([
      { ...entry(1, 1, 'carried', '1:1'), amount: -30, balance: 70, created_at: old + 5 },
      { ...entry(1, 2, 'carried', '1:2'), amount: -30, balance: 40, created_at: old },
      { ...entry(1, 1, 'consume', 'call-7'), amount: -5, balance: 65, created_at: young },
      { ...entry(1, 1, 'refund', 'task:1'), amount: 30, balance: 70, created_at: old },
      { ...entry(1, 1, 'topup', 'order:1'), amount: 100, balance: 100, created_at: old },
      { ...entry(2, 7, 'carried', '2:7'), amount: -1, balance: 49, created_at: old },
      { ...entry(2, 1, 'gift', 'g'), amount: 50, balance: 50, created_at: old },
    ])
    expect(await ledger.verify()).toEqual({ users: 2, faults: [] })
  })

  it('adds to what was carried before, and finds old entries behind young ones', async () => {
    await enter([{ user: 1, amount: -10 }])
    await foldEntries(test.database, quick)
    await enter([
      { user: 1, amount: -1, at: young },
      { user: 1, amount: -2, at: old },
      { user: 1, amount: -3, at: old + 1 },
    ])
    expect(await foldEntries(test.database, quick)).toBe(2)
    expect(await foldEntries(test.database, quick)).toBe(0)
    expect(await shown()).toMatchObject([
      { kind: 'carried', amount: -15, created_at: old + 1 },
      { kind: 'consume', amount: -1 },
    ])
    expect(await ledger.verify()).toMatchObject({ faults: [] })
  })

  it('goes in slices, between each of which the books are right, and stops when it is told to', async () => {
    await enter(
      Array.from({ length: 95 }, (_, at) => ({ user: 1 + (at % 3), token: at % 2, amount: -at })),
    )
    let looks = 0
    const signal = {
      get aborted() {
        looks += 1
        return looks > 4
      },
    } as AbortSignal
    const atOnce = byRows(10)
    const folding = foldEntries(test.database, { ...quick, atOnce, signal })
    for (let look = 0; look < 3; look += 1) {
      expect(await ledger.verify()).toMatchObject({ faults: [] })
      await turnOfLoop()
    }
    expect(await folding).toBe(40)
    expect(await foldEntries(test.database, { ...quick, atOnce })).toBe(55)
    expect(await shown()).toHaveLength(6)
    expect(await ledger.verify()).toMatchObject({ faults: [] })
  })

  it('counts nothing twice when two fold at once', async () => {
    await enter(Array.from({ length: 60 }, (_, at) => ({ user: 1 + (at % 2), amount: -1 - at })))
    const other = await openDatabase({ ...test.settings, log: quietLog })
    try {
      const slices = { ...quick, atOnce: byRows(7) }
      const counts = await Promise.all(
        [test.database, other].map((one) => foldEntries(one, slices)),
      )
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(60)
      expect(await shown()).toMatchObject([
        { kind: 'carried', ref: '1:1' },
        { kind: 'carried', ref: '2:1' },
      ])
      expect(await ledger.verify()).toMatchObject({ faults: [] })
    } finally {
      await other.close()
    }
  })
})
