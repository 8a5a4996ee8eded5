// The kill loop of kill-loop.ts with 60 kills, on each database.
import { describe, expect, it } from 'vitest'
import { gatewayDatabases } from '../../harness/gateway-databases.ts'
import { expectExactMoney } from './exact-money.ts'
import { runKillLoop } from './kill-loop.ts'

describe.each(gatewayDatabases)('a gateway killed under load 60 times, on $name', ({ open }) => {
  it('has one charge and one row for each complete answer and releases all else', async () => {
    const database = await open()
    try {
      const result = await runKillLoop(database, 60)
      expectExactMoney(result)
      expect(result.complete.length).toBeGreaterThan(1_000)
      console.log(
        `${result.complete.length} complete answers, ${result.brokenCount} cut or not answered, ${result.rows.length} rows`,
      )
    } finally {
      await database.close()
    }
  })
})
