import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { driverKinds, quietLog, type TestDatabase } from '../../../test/harness/databases.ts'
import type { Reservation } from '../../contract/money-services.ts'
import { Ledger } from './ledger.ts'
import { verifyLeases } from './ledger-verify-report.ts'

const events = { emit: () => undefined, on: () => () => undefined }

/** `at` picks who and which open reservation, `units` how much. */
const step = fc.record({
  kind: fc.constantFrom(
    'reserve',
    'reserve',
    'settle',
    'settle',
    'release',
    'extend',
    'change',
    'undo',
    'idle',
  ),
  at: fc.nat(1000),
  units: fc.nat(300),
  waits: fc.boolean(),
})
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

describe.each(driverKinds)('any order of calls on $name', ({ create }) => {
  let test: TestDatabase
  let ledger: Ledger
  let runs = 0

  beforeAll(async () => {
    test = await create()
    ledger = await Ledger.open({ database: test.database, nodeId: 'n', log: quietLog, events })
  })

  afterAll(async () => {
    await ledger.close()
    await test.close()
  })

  async function newUsers(count: number): Promise<number[]> {
    const names = Array.from({ length: count }, (_, index) => `('${runs}-${index}')`)
    const rows = await test.database.select<{ id: number }>(
      `INSERT INTO users (username) VALUES ${names.join(', ')} RETURNING id`,
    )
    return rows.map(({ id }) => id)
  }

  async function change(userId: number, units: number, isUndone = false): Promise<boolean> {
    const ref = `${(runs += 1)}`
    return test.database
      .transaction(async (transaction) => {
        await ledger.change({ userId, units, kind: 'topup', ref, transaction })
        if (isUndone) throw Object.assign(new Error('undone'), { code: 'quota.insufficient' })
      })
      .then(() => true)
      .catch((error: { code?: string }) => {
        expect(error.code).toBe('quota.insufficient')
        return false
      })
  }

  /** Runs the steps, many at once, and returns what each balance must be. */
  async function play(steps: readonly Step[], userIds: readonly number[]): Promise<number[]> {
    const expected = userIds.map(() => 0)
    const open: Reservation[] = []
    const running: Promise<unknown>[] = []
    for (const { kind, at, units, waits } of steps) {
      const who = at % userIds.length
      const taken =
        kind === 'settle' || kind === 'release'
          ? open.splice(at % (open.length || 1), 1)[0]
          : undefined
      const place = (reservation: Reservation) => userIds.indexOf(reservation.userId)
      const actions: Record<string, () => Promise<unknown>> = {
        reserve: async () => {
          const requestId = `${(runs += 1)}`
          const input = {
            requestId,
            userId: userIds[who] ?? 0,
            tokenId: 0,
            isTokenLimited: false,
            units,
          }
          open.push(await ledger.reserve(input))
        },
        settle: async () => {
          if (taken === undefined) return
          const charge = Math.min(units, taken.units)
          expected[place(taken)] = (expected[place(taken)] ?? 0) - charge
          await ledger.settle(taken, { units: charge, channelId: 0 })
        },
        release: async () => taken !== undefined && ledger.release(taken),
        extend: async () => {
          const first = open[0]
          if (first !== undefined) await ledger.extend(first, units)
        },
        change: async () => {
          const amount = at % 3 === 0 ? -units : units * 2
          if (await change(userIds[who] ?? 0, amount)) expected[who] = (expected[who] ?? 0) + amount
        },
        undo: () => change(userIds[who] ?? 0, -1, true),
        idle: () => ledger.returnIdleLeases(0),
      }
      const action = actions[kind]?.().catch((error: { code?: string; message?: string }) => {
        if (error.code !== 'quota.insufficient') expect(error.message).toMatch(/extended/)
      })
      running.push(action ?? Promise.resolve())
      if (waits) await action
    }
    await Promise.all(running)
    await Promise.all(open.map((reservation) => ledger.release(reservation)))
    return expected
  }

  it('leaves each balance the sum of its entries, never below zero, and nothing leased', async () => {
    const property = fc.asyncProperty(
      fc.array(step, { minLength: 20, maxLength: 120 }),
      async (steps) => {
        const userIds = await newUsers(3)
        const expected = await play(steps, userIds)
        // What recalls took is back; what was leased in advance is not.
        await ledger.returnIdleLeases(Number.MAX_SAFE_INTEGER)
        for (const [index, userId] of userIds.entries()) {
          expect(await ledger.balance(userId)).toBe(expected[index])
          expect(await change(userId, -(expected[index] ?? 0))).toBe(true)
        }
        await ledger.returnIdleLeases(0)
        expect(
          await test.database.select('SELECT id FROM ledger_entries WHERE balance < 0'),
        ).toEqual([])
        expect(await ledger.verify()).toMatchObject({ faults: [] })
        expect(await verifyLeases(test.database)).toEqual([])
        expect(await test.database.select('SELECT id FROM users WHERE leased <> 0')).toEqual([])
      },
    )
    await fc.assert(property, { numRuns: 30 })
  })
})
