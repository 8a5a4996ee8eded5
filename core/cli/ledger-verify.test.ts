import { describe, expect, it } from 'vitest'
import { databaseKinds } from '../../test/harness/databases.ts'
import { ledgerVerify } from './ledger-verify.ts'

describe.each(databaseKinds)('tollgate ledger verify on $name', ({ create }) => {
  it('ends with 0 when all is right, else names each fault and ends with 1', async () => {
    const { database, close } = await create()
    const lines: string[] = []
    const verify = () => ledgerVerify({ database, print: (line) => lines.push(line) })
    await database.run(`INSERT INTO users (id, username) VALUES (1, 'ann'), (2, 'bob')`)
    expect(await verify()).toBe(0)
    await database.run('UPDATE users SET quota = 5 WHERE id = 1')
    await database.run('UPDATE users SET leased = 3 WHERE id = 2')
    expect(await verify()).toBe(1)
    expect(lines).toEqual([
      '2 users checked, every balance is right',
      'user 1: the balance is 5, the sum of its entries is 0',
      'user 2: 3 units are marked as leased, nodes hold 0',
      '2 users checked, 2 faults',
    ])
    await close()
  })

  it('names orders that the ledger did not enter as they were paid', async () => {
    const { database, close } = await create()
    const lines: string[] = []
    const verify = () => ledgerVerify({ database, print: (line) => lines.push(line) })
    const order = (trade: string, status: string) =>
      database.run(
        `INSERT INTO top_ups (user_id, trade_no, provider, payment_method, amount, quota, money, currency, status, create_time)
         VALUES (9, :trade, 'bank', 'wire', 1, 500, '1.00', 'CNY', :status, 1)`,
        { trade, status },
      )
    const entry = (ref: string, amount: number) =>
      database.run(
        `INSERT INTO ledger_entries (user_id, token_id, kind, ref, amount, balance, created_at)
         VALUES (9, 0, 'topup', :ref, :amount, 0, 1)`,
        { ref, amount },
      )
    await order('right', 'success')
    await entry('order:right', 500)
    await order('open', 'pending')
    await entry('redemption:1', 70)
    expect(await verify()).toBe(0)
    await order('lost', 'success')
    await entry('order:unknown', 30)
    expect(await verify()).toBe(1)
    expect(lines.slice(1, 3).sort()).toEqual([
      'order:lost: 500 units were paid for, the ledger entered 0',
      'order:unknown: 0 units were paid for, the ledger entered 30',
    ])
    await close()
  })

  it('names orders of which more or less was taken back than the ledger entered', async () => {
    const { database, close } = await create()
    const lines: string[] = []
    const verify = () => ledgerVerify({ database, print: (line) => lines.push(line) })
    const order = (trade: string, taken: number) =>
      database.run(
        `INSERT INTO top_ups (user_id, trade_no, provider, payment_method, amount, quota, money, currency, status, create_time,
           refunded_quota, taken_quota)
         VALUES (9, :trade, 'bank', 'wire', 1, 500, '1.00', 'CNY', 'pending', 1, :taken, :taken)`,
        { trade, taken },
      )
    const entry = (ref: string, amount: number) =>
      database.run(
        `INSERT INTO ledger_entries (user_id, token_id, kind, ref, amount, balance, created_at)
         VALUES (9, 0, 'refund', :ref, :amount, 0, 1)`,
        { ref, amount },
      )
    await order('right', 300)
    await entry('order:right:r1', -500)
    await entry('order:right:r2', 200)
    await entry('task:1', 70)
    expect(await verify()).toBe(0)
    await order('lost', 100)
    await entry('order:unknown:r1', -30)
    await order('much', 600)
    await entry('order:much:r1', -600)
    expect(await verify()).toBe(1)
    expect(lines.slice(1, 4).sort()).toEqual([
      'order:lost: 100 units are marked as taken back, the ledger entered 0',
      'order:much: 600 units are marked as taken back, the ledger entered 600',
      'order:unknown: 0 units are marked as taken back, the ledger entered 30',
    ])
    await close()
  })
})
