import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Events } from '../../contract/events.ts'
import type { LogRow, Reservation } from '../../contract/money-services.ts'
import { driverKinds, quietLog, type TestDatabase } from '../../../test/harness/databases.ts'
import { Ledger } from './ledger.ts'
import { verifyLeases } from './ledger-verify-report.ts'

const events = { emit: <K extends keyof Events>(_name: K) => undefined, on: () => () => undefined }

describe.each(driverKinds)('the ledger on $name', ({ create }) => {
  let test: TestDatabase
  let ledger: Ledger
  let calls = 0

  beforeAll(async () => {
    test = await create()
  })

  beforeEach(async () => {
    for (const table of ['users', 'tokens', 'channels', 'ledger_entries', 'logs']) {
      await test.database.run(`DELETE FROM ${table}`)
    }
    ledger = await openLedger('node-a')
  })

  afterEach(async () => {
    await ledger.close()
    expect(await ledger.verify()).toMatchObject({ faults: [] })
    expect(await verifyLeases(test.database)).toEqual([])
    expect(await test.database.select('SELECT node_id FROM leases')).toEqual([])
  })

  afterAll(() => test.close())

  function openLedger(nodeId: string): Promise<Ledger> {
    return Ledger.open({ database: test.database, nodeId, log: quietLog, events })
  }

  async function giveUser(units: number): Promise<number> {
    const [row] = await test.database.select<{ id: number }>(
      'INSERT INTO users (username) VALUES (:name) RETURNING id',
      { name: `user ${(calls += 1)}` },
    )
    const userId = row?.id ?? 0
    await change(userId, units)
    return userId
  }

  function change(userId: number, units: number, ref = `test ${(calls += 1)}`) {
    return test.database.transaction((transaction) =>
      ledger.change({ userId, units, kind: 'topup', ref, transaction }),
    )
  }

  async function giveToken(userId: number, remain: number | 'unlimited'): Promise<number> {
    const [row] = await test.database.select<{ id: number }>(
      `INSERT INTO tokens (user_id, "key", key_hash, created_time, accessed_time, remain_quota, unlimited_quota)
      VALUES (:userId, '', :hash, 0, 0, :remain, :isUnlimited) RETURNING id`,
      {
        userId,
        hash: `hash ${(calls += 1)}`,
        remain: remain === 'unlimited' ? 0 : remain,
        isUnlimited: remain === 'unlimited',
      },
    )
    return row?.id ?? 0
  }

  function reserve(userId: number, units: number, tokenId = 0): Promise<Reservation> {
    const requestId = `request ${(calls += 1)}`
    return ledger.reserve({ requestId, userId, tokenId, isTokenLimited: tokenId !== 0, units })
  }

  async function userRow(id: number): Promise<Record<string, number>> {
    const sql = 'SELECT quota, leased, used_quota, request_count FROM users WHERE id = :id'
    return (await test.database.select<Record<string, number>>(sql, { id }))[0] ?? {}
  }

  async function tokenRow(id: number): Promise<Record<string, number>> {
    const sql = 'SELECT remain_quota, leased, used_quota, status FROM tokens WHERE id = :id'
    return (await test.database.select<Record<string, number>>(sql, { id }))[0] ?? {}
  }

  function logRow(fields: Partial<LogRow>): LogRow {
    return {
      user_id: 0,
      username: '',
      created_at: 1,
      type: 2,
      content: '',
      token_name: '',
      token_id: 0,
      model_name: '',
      quota: 0,
      prompt_tokens: 0,
      completion_tokens: 0,
      use_time_ms: 0,
      is_stream: false,
      channel_id: 0,
      group: '',
      other: '',
      request_id: '',
      ...fields,
    }
  }

  it.each([
    { has: 1000, need: 1000, charge: 1000, left: 0 },
    { has: 1000, need: 400, charge: 100, left: 900 },
    { has: 1000, need: 1, charge: 0, left: 1000 },
    { has: 0, need: 0, charge: 0, left: 0 },
  ])(
    'takes $need of $has, charges $charge and leaves $left',
    async ({ has, need, charge, left }) => {
      const userId = await giveUser(has)
      await ledger.settle(await reserve(userId, need), { units: charge, channelId: 0 })
      expect(await userRow(userId)).toMatchObject({
        quota: left,
        used_quota: charge,
        request_count: 1,
      })
    },
  )

  it('refuses what is more than is left, names the need and takes nothing', async () => {
    const userId = await giveUser(99)
    await expect(reserve(userId, 100)).rejects.toMatchObject({
      code: 'quota.insufficient',
      status: 403,
      values: { need: 100 },
    })
    expect(await userRow(userId)).toMatchObject({ quota: 99, leased: 0 })
    await expect(reserve(12_345, 1)).rejects.toMatchObject({ code: 'quota.insufficient' })
  })

  it('lets exactly 10 of 400 parallel calls through on a balance for 10', async () => {
    const userId = await giveUser(1000)
    const tokenId = await giveToken(userId, 5000)
    const results = await Promise.allSettled(
      Array.from({ length: 400 }, async () => {
        const reservation = await reserve(userId, 100, tokenId)
        await ledger.settle(reservation, { units: 100, channelId: 0 })
      }),
    )
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
    expect(await userRow(userId)).toMatchObject({ quota: 0, leased: 0, request_count: 10 })
    expect(await tokenRow(tokenId)).toMatchObject({ remain_quota: 4000, used_quota: 1000 })
  })

  it('never overdraws through two nodes at once', async () => {
    const other = await openLedger('node-b')
    const userId = await giveUser(5000)
    const results = await Promise.allSettled(
      Array.from({ length: 400 }, async (_, index) => {
        const node = index % 2 === 0 ? ledger : other
        const requestId = `two nodes ${index}`
        const reservation = await node.reserve({
          requestId,
          userId,
          tokenId: 0,
          isTokenLimited: false,
          units: 100,
        })
        await node.settle(reservation, { units: 100, channelId: 0 })
      }),
    )
    const served = results.filter(({ status }) => status === 'fulfilled').length
    await other.close()
    expect(served).toBeLessThanOrEqual(50)
    expect(await userRow(userId)).toMatchObject({ quota: 5000 - served * 100 })
    expect(served).toBeGreaterThan(45)
  })

  it('refuses by the token when the user has enough, and gives the user back', async () => {
    const userId = await giveUser(1000)
    const tokenId = await giveToken(userId, 50)
    await expect(reserve(userId, 100, tokenId)).rejects.toMatchObject({
      code: 'quota.token_insufficient',
      relayCode: 'pre_consume_token_quota_failed',
    })
    const whole = await reserve(userId, 1000)
    await ledger.release(whole)
  })

  it('marks a limited token exhausted when nothing remains, and an unlimited one never', async () => {
    const userId = await giveUser(1000)
    const limited = await giveToken(userId, 100)
    const unlimited = await giveToken(userId, 'unlimited')
    await ledger.settle(await reserve(userId, 100, limited), { units: 100, channelId: 0 })
    expect(await tokenRow(limited)).toMatchObject({ remain_quota: 0, used_quota: 100, status: 4 })
    const requestId = 'unlimited'
    const free = { requestId, userId, tokenId: unlimited, isTokenLimited: false, units: 10 }
    await ledger.settle(await ledger.reserve(free), { units: 10, channelId: 0 })
    expect(await tokenRow(unlimited)).toMatchObject({ remain_quota: 0, used_quota: 10, status: 1 })
  })

  it('lets a call that outruns its reservation go below zero by its own excess only', async () => {
    const userId = await giveUser(100)
    const first = await reserve(userId, 60)
    const second = await reserve(userId, 40)
    await ledger.settle(first, { units: 75, channelId: 0 })
    await ledger.settle(second, { units: 40, channelId: 0 })
    expect(await userRow(userId)).toMatchObject({ quota: -15, leased: 0 })
    await expect(reserve(userId, 1)).rejects.toMatchObject({ code: 'quota.insufficient' })
  })

  it('ends a reservation once, whichever way', async () => {
    const userId = await giveUser(100)
    const settled = await reserve(userId, 50)
    const charge = { units: 20, channelId: 0 }
    await ledger.settle(settled, charge)
    await expect(ledger.settle(settled, charge)).rejects.toThrow('no open reservation')
    await expect(ledger.release(settled)).rejects.toThrow('no open reservation')
    const released = await reserve(userId, 50)
    await ledger.release(released)
    await expect(ledger.settle(released, charge)).rejects.toThrow('no open reservation')
    expect(await userRow(userId)).toMatchObject({ quota: 80, used_quota: 20, request_count: 1 })
  })

  it('refuses a second reservation of a request while the first is open', async () => {
    const userId = await giveUser(100)
    const input = { requestId: 'same', userId, tokenId: 0, isTokenLimited: false, units: 10 }
    const [first, second] = await Promise.allSettled([ledger.reserve(input), ledger.reserve(input)])
    expect(first.status).toBe('fulfilled')
    expect(second.status).toBe('rejected')
  })

  it.each([-1, 0.5, Number.NaN, 2 ** 53])('refuses %d units', async (units) => {
    const userId = await giveUser(100)
    await expect(reserve(userId, units)).rejects.toThrow(RangeError)
    const reservation = await reserve(userId, 10)
    await expect(ledger.settle(reservation, { units, channelId: 0 })).rejects.toThrow(RangeError)
    await ledger.release(reservation)
    expect(await userRow(userId)).toMatchObject({ quota: 100 })
  })

  it('gives an open reservation more', async () => {
    const userId = await giveUser(100)
    const reservation = await reserve(userId, 30)
    expect(await ledger.extend(reservation, 50)).toMatchObject({ units: 80 })
    await expect(ledger.extend(reservation, 30)).rejects.toMatchObject({
      code: 'quota.insufficient',
    })
    await ledger.settle(reservation, { units: 80, channelId: 0 })
    expect(await userRow(userId)).toMatchObject({ quota: 20 })
  })

  it('writes the log row, the entry and the counts of a call together', async () => {
    const userId = await giveUser(500)
    await test.database.run(
      `INSERT INTO channels (id, type, "key", name, created_time) VALUES (7, 1, '', 'c', 0)`,
    )
    const reservation = await reserve(userId, 100)
    const content = "it's \0 a \uD800 'hostile'); DROP TABLE logs; -- text :name $1 ?"
    const log = logRow({ user_id: userId, content, prompt_tokens: 1.5, is_stream: true, quota: 80 })
    await ledger.settle(reservation, { units: 80, channelId: 7, log })
    const [row] = await test.database.select('SELECT * FROM logs')
    expect(row).toMatchObject({ user_id: userId, quota: 80, prompt_tokens: 1 })
    expect(row).toMatchObject({
      content: content.replace('\0', '\uFFFD').replace('\uD800', '\uFFFD'),
    })
    const entries = await test.database.select(
      `SELECT ref, amount, balance FROM ledger_entries WHERE kind = 'consume'`,
    )
    expect(entries).toEqual([{ ref: reservation.requestId, amount: -80, balance: 420 }])
    expect(await test.database.select('SELECT used_quota FROM channels')).toEqual([
      { used_quota: 80 },
    ])
  })

  it('keeps the running balance of entries true through batches of many', async () => {
    const userIds = await Promise.all([giveUser(100_000), giveUser(100_000)])
    await Promise.all(
      Array.from({ length: 300 }, async (_, index) => {
        const reservation = await reserve(userIds[index % 2] ?? 0, 200)
        await ledger.settle(reservation, { units: index, channelId: 0 })
      }),
    )
    for (const userId of userIds) {
      const entries = await test.database.select<{ amount: number; balance: number }>(
        'SELECT amount, balance FROM ledger_entries WHERE user_id = :userId ORDER BY id',
        { userId },
      )
      let balance = 0
      for (const entry of entries) {
        balance += entry.amount
        expect(entry.balance).toBe(balance)
      }
      expect(await ledger.balance(userId)).toBe(balance)
      expect(await ledger.balances([userId, 999_999])).toEqual(new Map([[userId, balance]]))
    }
  })

  it('writes log rows without a charge in the next commit, with the name of their user', async () => {
    const userId = await giveUser(100)
    ledger.logs.write({ user_id: userId, type: 4, content: 'gift' })
    await ledger.release(await reserve(userId, 10), logRow({ user_id: userId, type: 5 }))
    const rows = await test.database.select<{ type: number; username: string }>(
      'SELECT type, username FROM logs ORDER BY type',
    )
    expect(rows.map(({ type }) => type)).toEqual([4, 5])
    expect(rows[0]?.username).toMatch(/^user \d+$/)
    expect(await userRow(userId)).toMatchObject({ quota: 100, request_count: 0 })
  })

  it('queues log rows and serves calls while another transaction is open', async () => {
    const userId = await giveUser(100)
    await test.database.transaction(async (transaction) => {
      ledger.logs.write({ user_id: userId, type: 3, content: 'changed' })
      await ledger.change({ userId, units: 7, kind: 'gift', ref: 'inside', transaction })
    })
    await ledger.release(await reserve(userId, 107))
    await ledger.flush()
    expect(await test.database.select('SELECT content FROM logs')).toEqual([{ content: 'changed' }])
  })

  it('settles what is open while it closes, and nothing afterwards', async () => {
    const userId = await giveUser(100)
    const [early, late] = await Promise.all([reserve(userId, 30), reserve(userId, 30)])
    const settled = ledger.settle(early, { units: 30, channelId: 0 })
    await ledger.close()
    await settled
    await expect(ledger.settle(late, { units: 30, channelId: 0 })).rejects.toThrow('no open')
    await expect(reserve(userId, 1)).rejects.toThrow('closed')
    expect(await userRow(userId)).toMatchObject({ quota: 70, leased: 0 })
  })

  it('enters a change once by its cause and refuses to take more than is left', async () => {
    const userId = await giveUser(100)
    expect(await change(userId, 50, 'order 1')).toEqual({ balance: 150 })
    await expect(change(userId, 50, 'order 1')).rejects.toMatchObject({
      code: 'ledger.entry_repeated',
    })
    await expect(change(userId, -151)).rejects.toMatchObject({ code: 'quota.insufficient' })
    await expect(change(999_999, 5)).rejects.toMatchObject({ code: 'ledger.user_missing' })
    expect(await change(userId, -150)).toEqual({ balance: 0 })
  })

  it('refuses what would bring a balance beyond exact numbers', async () => {
    const userId = await giveUser(Number.MAX_SAFE_INTEGER - 1)
    await change(userId, 1)
    for (const units of [1, 1_000_000_000_000_000])
      await expect(change(userId, units)).rejects.toThrow('too large')
    expect(await ledger.balance(userId)).toBe(Number.MAX_SAFE_INTEGER)
  })

  it('takes units leased in advance back when all of the balance is spent otherwise', async () => {
    const userId = await giveUser(1_000_000)
    await ledger.release(await reserve(userId, 10))
    expect((await userRow(userId)).leased).toBeGreaterThan(10)
    expect(await change(userId, -1_000_000)).toEqual({ balance: 0 })
    await expect(reserve(userId, 1)).rejects.toMatchObject({ code: 'quota.insufficient' })
  })

  it('stops spending when the balance is set to nothing', async () => {
    const userId = await giveUser(1_000_000)
    const tokenId = await giveToken(userId, 1_000_000)
    await ledger.release(await reserve(userId, 10, tokenId))
    await test.database.transaction((transaction) => ledger.setTokenRemain(tokenId, 5, transaction))
    await expect(reserve(userId, 6, tokenId)).rejects.toMatchObject({
      code: 'quota.token_insufficient',
    })
    const answer = await test.database.transaction((transaction) =>
      ledger.setBalance({ userId, balance: 0, ref: 'admin 1', transaction }),
    )
    expect(answer).toEqual({ before: 1_000_000, after: 0 })
    await expect(reserve(userId, 1)).rejects.toMatchObject({ code: 'quota.insufficient' })
  })

  it.each([
    { what: 'nothing', after: 500 },
    { what: 'spending', spent: 30, after: 470 },
    { what: 'spending, and empties it', spent: 30, to: 0, after: 0 },
    { what: 'another hand', moved: 50, balance: 1050 },
    { what: 'both', moved: 50, spent: 30, balance: 1020 },
    { what: 'more spending than the new balance holds', spent: 600, balance: 400 },
  ])(
    'sets a balance that was seen before $what',
    async ({ spent = 0, moved, to = 500, ...then }) => {
      const userId = await giveUser(1000)
      const seen = { quota: 1000, used_quota: 0 }
      const set = (ref: string) =>
        test.database.transaction((transaction) =>
          ledger.setBalance({ userId, balance: to, seen, ref, transaction }),
        )
      if (moved) await change(userId, moved)
      if (spent) await ledger.settle(await reserve(userId, spent), { units: spent, channelId: 0 })
      if (then.after === undefined) {
        const values = { quota: then.balance, used_quota: spent }
        await expect(set(`a ${userId}`)).rejects.toMatchObject({ code: 'quota.changed', values })
        return
      }
      expect(await set(`b ${userId}`)).toEqual({ before: 1000 - spent, after: then.after })
      // Its answer was lost, and the user has spent since.
      if (to > 0) await ledger.settle(await reserve(userId, 7), { units: 7, channelId: 0 })
      const left = to > 0 ? then.after - 7 : 0
      expect(await set(`c ${userId}`)).toEqual({ before: left, after: left })
    },
  )

  it('gives all of a balance whose lease is on its way back at that moment', async () => {
    const userId = await giveUser(1_000_000)
    await ledger.release(await reserve(userId, 10))
    await Promise.all([change(userId, -1_000_000), ledger.returnIdleLeases(0)])
    expect(await userRow(userId)).toMatchObject({ quota: 0, leased: 0 })
  })

  it('leases exactly what small balances need and returns what lies idle', async () => {
    const small = await giveUser(100)
    const large = await giveUser(10_000_000)
    const held = [await reserve(small, 30), await reserve(large, 30)]
    expect(await userRow(small)).toMatchObject({ leased: 30 })
    for (const reservation of held) await ledger.release(reservation)
    expect(await userRow(large)).toMatchObject({ leased: 6000 })
    const open = await reserve(large, 30)
    await ledger.returnIdleLeases(0)
    expect(await userRow(small)).toMatchObject({ leased: 0 })
    expect(await userRow(large)).toMatchObject({ leased: 6000 })
    await ledger.release(open)
    await ledger.returnIdleLeases(0)
    expect(await userRow(large)).toMatchObject({ quota: 10_000_000, leased: 0 })
  })

  it('finds a balance that is not the sum of its entries', async () => {
    const userId = await giveUser(100)
    await test.database.run('UPDATE users SET quota = quota + 1 WHERE id = :userId', { userId })
    const fault = { userId, balance: 101, sum: 100 }
    expect(await ledger.verify()).toEqual({ users: 1, faults: [fault] })
    await test.database.run('UPDATE users SET quota = quota - 1 WHERE id = :userId', { userId })
  })
})
