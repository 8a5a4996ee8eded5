import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { driverKinds, quietLog, type TestDatabase } from '../../../test/harness/databases.ts'
import { migrate } from '../migrate.ts'

describe.each(driverKinds)('the step to facts of refunds on $name', ({ create }) => {
  let test: TestDatabase

  beforeAll(async () => {
    test = await create()
    const { database } = test
    await database.run(`DELETE FROM schema_steps WHERE name = '0014-reversals'`)
    await database.run('DROP TABLE top_up_reversals')
    await database.run('ALTER TABLE top_ups DROP COLUMN taken_quota')
    await database.run(
      `INSERT INTO top_ups (user_id, trade_no, provider, payment_method, amount, quota, money, currency, status, reference,
         refunded_quota, create_time, complete_time)
       VALUES (1, 'all', 'stripe', 'stripe', 1, 500, '9.99', 'USD', 'refunded', 'pi_1', 500, 1, 2),
              (1, 'part', 'stripe', 'stripe', 1, 500, '10', 'USD', 'success', 'pi_2', 125, 1, 2),
              (1, 'none', 'stripe', 'stripe', 1, 500, '10', 'USD', 'success', 'pi_3', 0, 1, 2)`,
    )
    await database.run(
      `INSERT INTO ledger_entries (user_id, token_id, kind, ref, amount, balance, created_at)
       VALUES (1, 0, 'refund', 'order:all:100', -100, 0, 1), (1, 0, 'refund', 'order:all:500', -300, 0, 1),
              (1, 0, 'topup', 'order:all', 500, 0, 1), (1, 0, 'refund', 'order:part:125', -125, 0, 1)`,
    )
    await migrate(database, quietLog)
  })

  afterAll(() => test.close())

  it('keeps what had gone back, and what was taken of it', async () => {
    const orders = await test.database.select(
      'SELECT trade_no, taken_quota FROM top_ups ORDER BY id',
    )
    expect(orders).toEqual([
      { trade_no: 'all', taken_quota: 400 },
      { trade_no: 'part', taken_quota: 125 },
      { trade_no: 'none', taken_quota: 0 },
    ])
    const facts = await test.database.select(
      'SELECT reference, name, kind, money, currency FROM top_up_reversals ORDER BY reference',
    )
    expect(facts).toEqual([
      { reference: 'pi_1', name: '', kind: 'gone', money: '9.99', currency: 'USD' },
      { reference: 'pi_2', name: '', kind: 'gone', money: '2.50', currency: 'USD' },
    ])
  })
})
