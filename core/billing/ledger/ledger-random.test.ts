import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  createPostgres,
  driverKinds,
  hasPostgres,
  quietLog,
  type TestDatabase,
} from '../../../test/harness/databases.ts'
import { openMigrated } from '../../../test/harness/sqlite.ts'
import { quietEvents } from '../../../test/harness/quiet-events.ts'
import type { Reservation } from '../../contract/money-services.ts'
import type { Database } from '../../data/database.ts'
import { Ledger } from './ledger.ts'
import { verifyLeases } from './ledger-verify-report.ts'

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
    ledger = await Ledger.open({
      database: test.database,
      nodeId: 'n',
      log: quietLog,
      events: quietEvents,
    })
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

/** A call costs `tenths` of what it has reserved. */
const nodeStep = fc.record({
  kind: fc.constantFrom(
    'reserve',
    'reserve',
    'settle',
    'settle',
    'fail',
    'release',
    'recall',
    'idle',
  ),
  node: fc.nat(1),
  units: fc.oneof(fc.nat(100), fc.nat(5_000)),
  tenths: fc.nat(14),
  waits: fc.boolean(),
})
type NodeStep = typeof nodeStep extends fc.Arbitrary<infer T> ? T : never

describe.runIf(hasPostgres)('any order of calls on two nodes', () => {
  const had = 20_000
  let test: TestDatabase
  let second: Database
  const nodes: { ledger: Ledger; database: Database }[] = []
  let number = 0

  beforeAll(async () => {
    test = await createPostgres()
    second = await openMigrated(test.settings)
    for (const [place, database] of [test.database, second].entries()) {
      const nodeId = `node-${place}`
      nodes.push({
        database,
        ledger: await Ledger.open({ database, nodeId, log: quietLog, events: quietEvents }),
      })
    }
  })

  afterAll(async () => {
    for (const { ledger } of nodes) await ledger.close()
    await second.close()
    await test.close()
  })

  async function newId(sql: string): Promise<number> {
    const [row] = await test.database.select<{ id: number }>(`INSERT INTO ${sql} RETURNING id`)
    return row?.id ?? 0
  }

  /** @returns the units that were charged */
  async function play(steps: readonly NodeStep[], userId: number, tokenId: number) {
    let charged = 0
    const open: { ledger: Ledger; reservation: Reservation }[] = []
    const settle = async (tenths: number, fails: boolean) => {
      const call = open.shift()
      if (!call) return
      const units = Math.floor((call.reservation.units * tenths) / 10)
      const alongside = fails ? [{ sql: `SELECT 'no number'::int` }] : undefined
      const settled = call.ledger.settle(call.reservation, { units, channelId: 0, alongside })
      if (fails) return expect(settled).rejects.toThrow()
      await settled
      charged += units
    }
    const run = async ({ kind, node, units, tenths }: NodeStep) => {
      const { ledger, database } = nodes[node] ?? expect.unreachable()
      if (kind === 'reserve') {
        const requestId = `two-${(number += 1)}`
        const input = { requestId, userId, tokenId, isTokenLimited: true, units }
        open.push({ ledger, reservation: await ledger.reserve(input) })
      } else if (kind === 'settle' || kind === 'fail') await settle(tenths, kind === 'fail')
      else if (kind === 'release') {
        const call = open.shift()
        await call?.ledger.release(call.reservation)
      } else if (kind === 'idle') await ledger.returnIdleLeases(0)
      else await database.transaction((transaction) => ledger.recall(userId, tokenId, transaction))
    }
    const running: Promise<unknown>[] = []
    for (const step of steps) {
      const done = run(step).catch((error: { code?: string }) =>
        expect(error.code).toMatch(/^quota\./),
      )
      running.push(done)
      if (step.waits) await done
    }
    await Promise.all(running)
    for (const { ledger, reservation } of open) await ledger.release(reservation)
    return charged
  }

  it('loses and doubles no unit, whatever calls cost and whichever commits fail', async () => {
    const property = fc.asyncProperty(
      fc.array(nodeStep, { minLength: 20, maxLength: 100 }),
      async (steps) => {
        const name = `two-${(number += 1)}`
        const userId = await newId(`users (username) VALUES ('${name}')`)
        const tokenId = await newId(
          `tokens (user_id, "key", key_hash, created_time, accessed_time, remain_quota, unlimited_quota)
           VALUES (${userId}, '${name}', '${name}', 0, 0, ${had}, false)`,
        )
        const topUp = { userId, units: had, kind: 'topup', ref: name } as const
        await test.database.transaction(async (transaction) => {
          await nodes[0]?.ledger.change({ ...topUp, transaction })
        })
        const left = had - (await play(steps, userId, tokenId))
        // What recalls took is back; what was leased in advance is not.
        for (const { ledger } of nodes) await ledger.returnIdleLeases(Number.MAX_SAFE_INTEGER)
        for (const { ledger } of nodes) await ledger.returnIdleLeases(0)
        expect(
          await test.database.select(`SELECT users.quota, users.leased, remain_quota, tokens.leased AS token_leased
            FROM users JOIN tokens ON tokens.user_id = users.id WHERE users.id = ${userId}`),
        ).toEqual([{ quota: left, leased: 0, remain_quota: left, token_leased: 0 }])
        expect(await verifyLeases(test.database)).toEqual([])
      },
    )
    await fc.assert(property, { numRuns: 30 })
  })
})
