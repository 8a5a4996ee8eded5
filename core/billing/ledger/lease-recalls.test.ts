import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { EventBus } from '../../contract/events.ts'
import type { Reservation } from '../../contract/money-services.ts'
import type { ClusterBus } from '../../contract/services.ts'
import { driverKinds, quietLog, type TestDatabase } from '../../../test/harness/databases.ts'
import { BatchError } from '../../data/database.ts'
import { Ledger } from './ledger.ts'
import { verifyLeases } from './ledger-verify-report.ts'

const changedUsers: number[] = []
const events: EventBus = {
  emit: (name, payload) => {
    if (name === 'user.changed') changedUsers.push((payload as { userId: number }).userId)
  },
  on: () => () => undefined,
}

describe.each(driverKinds)('a balance that is cut while it is leased, on $name', (kind) => {
  let test: TestDatabase
  let ledgers: Ledger[]
  let userId: number
  let calls = 0

  beforeEach(async () => {
    test = await kind.create()
    ledgers = [await open('node-a')]
    const sql = `INSERT INTO users (username) VALUES ('ada') RETURNING id`
    userId = (await test.database.select<{ id: number }>(sql))[0]?.id ?? 0
    await set(1_000_000)
  })

  afterEach(async () => {
    for (const ledger of ledgers) await ledger.close()
    expect(await ledgers[0]?.verify()).toMatchObject({ faults: [] })
    expect(await verifyLeases(test.database)).toEqual([])
    await test.close()
  })

  const open = (nodeId: string, cluster?: ClusterBus) =>
    Ledger.open({ database: test.database, nodeId, log: quietLog, events, cluster })

  function node(index: number): Ledger {
    const ledger = ledgers[index]
    if (ledger === undefined) throw new Error(`there is no node ${index}`)
    return ledger
  }

  function set(balance: number): Promise<unknown> {
    const ref = `set ${(calls += 1)}`
    return test.database.transaction((transaction) =>
      node(0).setBalance({ userId, balance, ref, transaction }),
    )
  }

  const reserve = (units: number, index = 0): Promise<Reservation> =>
    node(index).reserve({
      requestId: `request ${(calls += 1)}`,
      userId,
      tokenId: 0,
      isTokenLimited: false,
      units,
    })

  /** How many calls of 1 000 units a node lets in and charges. */
  async function spendable(index: number): Promise<number> {
    for (let count = 0; count < 100; count += 1) {
      try {
        const reservation = await reserve(1_000, index)
        await node(index).settle(reservation, { units: 1_000, channelId: 0 })
      } catch {
        return count
      }
    }
    return 100
  }

  it('lets no more be spent than the new balance, whatever open calls give back after the cut', async () => {
    const open = await reserve(50_000)
    const released = await reserve(50_000)
    await set(5_000)
    await node(0).settle(open, { units: 2_000, channelId: 0 })
    await node(0).release(released)
    await node(0).flush()
    await expect.poll(leased).toBe(0)
    expect(await spendable(0)).toBe(3)
    expect(await node(0).balance(userId)).toBe(0)
  })

  const leased = async (): Promise<number> => {
    const sql = 'SELECT leased FROM users WHERE id = :userId'
    return (await test.database.select<{ leased: number }>(sql, { userId }))[0]?.leased ?? 0
  }

  // SQLite serves one node.
  if (kind.name !== 'PostgreSQL') return

  it('lets other nodes have what a call did not need of a small balance', async () => {
    ledgers.push(await open('node-b'))
    await set(10_000)
    for (let call = 0; call < 4; call += 1) {
      const reservation = await reserve(8_000, call % 2)
      await node(call % 2).settle(reservation, { units: 100, channelId: 0 })
      expect(await leased()).toBeLessThan(1_000)
    }
    expect(await node(0).balance(userId)).toBe(9_600)
  })

  it('takes back what another node leased in advance, also when no message reaches it', async () => {
    ledgers.push(await open('node-b'))
    const under = await reserve(1_000, 1)
    expect(await leased()).toBeGreaterThan(40_000)
    await set(3_000)
    // Only what the call under way holds stays. As an idle one a lease would be given back later than this waits.
    await expect.poll(leased).toBe(1_000)
    expect(changedUsers).toContain(userId)
    await node(1).settle(under, { units: 0, channelId: 0 })
    await expect.poll(leased).toBe(0)
    expect(await spendable(1)).toBe(3)
    expect(await node(0).balance(userId)).toBe(0)
  })

  it('follows each of several cuts, also of what it leased between them', async () => {
    ledgers.push(await open('node-b'))
    for (const balance of [500_000, 400_000, 2_000]) {
      await node(1).settle(await reserve(1_000, 1), { units: 0, channelId: 0 })
      expect(await leased()).toBeGreaterThan(0)
      await set(balance)
      await expect.poll(leased).toBe(0)
    }
    expect(await spendable(1)).toBe(2)
  })

  /** How many calls of 1 000 units a node lets in that ask at the same moment. */
  async function admitted(index: number): Promise<number> {
    const asked = Array.from({ length: 10 }, () => reserve(1_000, index))
    const answers = await Promise.allSettled(asked)
    for (const answer of answers) {
      if (answer.status === 'fulfilled') await node(index).release(answer.value)
    }
    return answers.filter(({ status }) => status === 'fulfilled').length
  }

  it('lets no more be spent by a node that stood still while the balance was cut', async () => {
    ledgers.push(await open('node-b'))
    await node(1).settle(await reserve(1_000, 1), { units: 0, channelId: 0 })
    await set(2_000)
    standStill(2_100)
    expect(await admitted(1)).toBe(2)
  })

  it('reads what was recalled before the next call, when it is told of it', async () => {
    const { cluster, tell } = toldCluster()
    ledgers.push(await open('node-b', cluster))
    await node(1).settle(await reserve(1_000, 1), { units: 0, channelId: 0 })
    await set(2_000)
    tell()
    expect(await admitted(1)).toBe(2)
  })

  it('refuses at once while nothing can be charged, and does not look first', async () => {
    const { cluster, tell } = toldCluster()
    const { batch, select } = test.database
    const database = { ...test.database }
    ledgers.push(await Ledger.open({ database, nodeId: 'node-b', log: quietLog, events, cluster }))
    const charged = await reserve(1_000, 1)
    database.batch = () =>
      Promise.reject(
        new BatchError(new Error('away'), { code: 'away', isTransient: true, isUnknown: false }),
      )
    const settled = node(1).settle(charged, { units: 1_000, channelId: 0 })
    await expect.poll(() => node(1).isAlive).toBe(false)
    const looked = Promise.withResolvers<never[]>()
    database.select = () => looked.promise
    tell()
    await expect(reserve(1_000, 1)).rejects.toMatchObject({
      code: expect.stringMatching(/^server\.database_/),
    })
    Object.assign(database, { batch, select })
    looked.resolve([])
    await settled
  })

  it('gives all that it shows to a change that spares nothing, also what another node leased in advance', async () => {
    ledgers.push(await open('node-b'))
    await node(1).settle(await reserve(1_000, 1), { units: 0, channelId: 0 })
    expect(await leased()).toBeGreaterThan(0)
    const take = (includesReserved: boolean) =>
      test.database.transaction((transaction) => {
        const change = {
          userId,
          units: -1_000_000,
          kind: 'admin' as const,
          ref: `take ${(calls += 1)}`,
        }
        return node(0).change({ ...change, transaction, includesReserved })
      })
    await expect(take(false)).rejects.toMatchObject({ code: 'quota.insufficient' })
    expect(await take(true)).toEqual({ balance: 0 })
    await expect.poll(leased).toBe(0)
    expect(await spendable(1)).toBe(0)
  })
})

/** As a process does that was stopped: no timer runs and no message is read. */
function standStill(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

/** A bus whose one message is sent by the test. */
function toldCluster(): { cluster: ClusterBus; tell: () => void } {
  const heard: (() => unknown)[] = []
  return {
    cluster: {
      nodeId: 'node-b',
      publish: () => Promise.resolve(),
      subscribe: (_topic, listener) => {
        heard.push(() => listener({}))
        return () => undefined
      },
    },
    tell: () => heard.forEach((listener) => void listener()),
  }
}
