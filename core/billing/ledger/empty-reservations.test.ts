// A reservation of nothing, as of a call that is free until it is extended.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { driverKinds, quietLog, type TestDatabase } from '../../../test/harness/databases.ts'
import { quietEvents } from '../../../test/harness/quiet-events.ts'
import { Ledger } from './ledger.ts'
import { verifyLeases } from './ledger-verify-report.ts'

describe.each(driverKinds)('a reservation of nothing on $name', ({ create }) => {
  let test: TestDatabase
  let ledger: Ledger

  beforeAll(async () => {
    test = await create()
    ledger = await Ledger.open({
      database: test.database,
      nodeId: 'a',
      log: quietLog,
      events: quietEvents,
    })
    await test.database.run(`INSERT INTO users (username) VALUES ('customer')`)
    await change(100)
  })
  afterAll(async () => {
    await ledger.close()
    await test.close()
  })

  let count = 0
  const change = (units: number) =>
    test.database.transaction(async (transaction) => {
      const ref = `change ${(count += 1)}`
      await ledger.change({ userId: 1, units, kind: 'admin', ref, transaction })
    })
  const reserve = (units: number) => {
    const requestId = `request ${(count += 1)}`
    return ledger.reserve({ requestId, userId: 1, tokenId: 0, isTokenLimited: false, units })
  }

  it('keeps what it is extended by, whatever idle leases go back before and after', async () => {
    const empty = await reserve(0)
    await ledger.returnIdleLeases(0)
    const other = await reserve(10)
    await ledger.extend(empty, 50)
    await ledger.release(other)
    await ledger.returnIdleLeases(0)
    await expect(change(-100)).rejects.toMatchObject({ code: 'quota.insufficient' })
    await ledger.settle(empty, { units: 50, channelId: 0 })
    await change(-50)
    expect(await ledger.balance(1)).toBe(0)
    await ledger.returnIdleLeases(0)
    expect(await ledger.verify()).toMatchObject({ faults: [] })
    expect(await verifyLeases(test.database)).toEqual([])
  })
})
