// A gateway killed under load: one charge and one row for each complete answer; 60 kills are in kill-loop.long.test.ts.
import { describe, expect, it } from 'vitest'
import { gatewayDatabases } from '../../harness/gateway-databases.ts'
import { expectExactMoney } from './exact-money.ts'
import { runKillLoop } from './kill-loop.ts'

describe.each(gatewayDatabases)('a gateway killed under load, on $name', ({ open }) => {
  it('has one charge and one row for each complete answer and releases all else', async () => {
    const database = await open()
    try {
      const result = await runKillLoop(database, 1)
      expectExactMoney(result)
      expect(result.brokenCount).toBeGreaterThan(0)
    } finally {
      await database.close()
    }
  }, 120_000)
})
