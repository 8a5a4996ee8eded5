// What must hold of all money after a kill loop.
import { expect } from 'vitest'
import type { KillLoopResult } from './kill-loop.ts'

/** The promise of the ledger, read from outside. */
export function expectExactMoney(result: KillLoopResult): void {
  const { complete, rows, balance, startBalance } = result
  const rowsOf = Map.groupBy(rows, ({ request_id }) => request_id)
  expect(complete.length).toBeGreaterThan(0)
  const lost = complete.filter(({ requestId }) => !rowsOf.has(requestId))
  expect(lost.map(({ requestId }) => requestId)).toEqual([])
  const doubled = [...rowsOf].filter(([, same]) => same.length > 1).map(([id]) => id)
  expect(doubled).toEqual([])
  const charged = rows.reduce((sum, { quota }) => sum + quota, 0)
  const { moneyIn } = result
  expect(moneyIn.lost).toEqual([])
  expect(moneyIn.confirmed).toBeGreaterThan(0)
  expect(balance).toBe(startBalance + moneyIn.units - charged)
  expect(result.isWholeBalanceSpendable).toBe(true)
}
