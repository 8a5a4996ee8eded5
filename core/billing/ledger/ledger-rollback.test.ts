// What a transaction took out of this node's leases when it was rolled back: the units are the balance's, and calls may spend them.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { driverKinds, quietLog, type TestDatabase } from '../../../test/harness/databases.ts'
import { quietEvents } from '../../../test/harness/quiet-events.ts'
import { Ledger } from './ledger.ts'
import { verifyLeases } from './ledger-verify-report.ts'

const whole = 1_000_000

describe.each(driverKinds)('a change of a balance that does not happen on $name', (kind) => {
  let test: TestDatabase
  let ledger: Ledger
  let userId = 0
  let count = 0

  beforeAll(async () => {
    test = await kind.create()
    ledger = await Ledger.open({
      database: test.database,
      nodeId: 'a',
      log: quietLog,
      events: quietEvents,
    })
  })
  afterAll(async () => {
    await ledger.close()
    expect(await ledger.verify()).toMatchObject({ faults: [] })
    expect(await verifyLeases(test.database)).toEqual([])
    await test.close()
  })

  beforeEach(() => addUser())
  afterEach(async () => {
    expect(await verifyLeases(test.database)).toEqual([])
  })

  /** From here on, calls and changes are of this user. */
  async function addUser(): Promise<void> {
    const [row] = await test.database.select<{ id: number }>(
      'INSERT INTO users (username) VALUES (:name) RETURNING id',
      { name: `user ${(count += 1)}` },
    )
    userId = row?.id ?? 0
    await change(whole)
  }

  const change = (units: number, fails = false) =>
    test.database.transaction(async (transaction) => {
      const ref = `change ${(count += 1)}`
      await ledger.change({ userId, units, kind: 'admin', ref, transaction })
      if (fails) throw new Error('the rest failed')
    })
  const setBalance = (balance: number) =>
    test.database.transaction(async (transaction) => {
      await ledger.setBalance({ userId, balance, ref: `set ${(count += 1)}`, transaction })
      throw new Error('the rest failed')
    })
  const reserve = (units: number, tokenId = 0) =>
    ledger.reserve({
      requestId: `request ${(count += 1)}`,
      userId,
      tokenId,
      isTokenLimited: tokenId !== 0,
      units,
    })

  it.each([
    { what: 'a deduction of more than is left', fail: () => change(-2 * whole) },
    { what: 'a deduction whose transaction failed', fail: () => change(-10, true) },
    { what: 'a balance that was set and taken back', fail: () => setBalance(5) },
  ])('leaves all of it to calls after $what', async ({ fail }) => {
    // The user is busy, so the lease does not go back by itself.
    const open = await reserve(10)
    for (let tries = 0; tries < 3; tries += 1) await expect(fail()).rejects.toThrow()
    const rest = await reserve(whole - 10)
    await expect(reserve(1)).rejects.toMatchObject({ code: 'quota.insufficient' })
    await ledger.release(rest)
    await ledger.settle(open, { units: 10, channelId: 0 })
    await change(-(whole - 10))
    expect(await ledger.balance(userId)).toBe(0)
  })

  it('leaves all but open calls to a deduction after one that failed, whatever others have leased', async () => {
    const openOfOther = await reserve(1)
    await addUser()
    const open = await reserve(10)
    await expect(change(-10, true)).rejects.toThrow('the rest failed')
    await change(-(whole - 10))
    expect(await ledger.balance(userId)).toBe(10)
    await ledger.release(open)
    await ledger.release(openOfOther)
  })

  it('leaves all of a token to calls after its remainder was set and taken back', async () => {
    const [token] = await test.database.select<{ id: number }>(
      `INSERT INTO tokens (user_id, "key", key_hash, created_time, accessed_time, remain_quota, unlimited_quota)
      VALUES (:userId, '', :hash, 0, 0, :whole, :no) RETURNING id`,
      { userId, hash: `hash ${userId}`, whole, no: false },
    )
    const tokenId = token?.id ?? 0
    const open = await reserve(10, tokenId)
    const set = test.database.transaction(async (transaction) => {
      await ledger.setTokenRemain(tokenId, 5, transaction)
      throw new Error('the rest failed')
    })
    await expect(set).rejects.toThrow('the rest failed')
    await ledger.release(await reserve(whole - 10, tokenId))
    await ledger.release(open)
  })
})
