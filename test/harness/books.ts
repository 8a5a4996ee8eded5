// Checks the books after a gateway was disturbed.
import { expect } from 'vitest'
import type { App } from './app.ts'
import type { SeenAnswer } from './relay-call.ts'
import { balanceOf, consumptionRows, type Customer } from './shop.ts'

/** `tollgate ledger verify` finds no fault. The process may have ended, but its data must exist. */
export async function expectSoundBooks(app: App): Promise<void> {
  const { code, output } = await app.command('ledger', 'verify')
  expect({ code, output }).toMatchObject({ code: 0 })
}

interface Charged {
  /** The price of one call. */
  units: number
  /** The customer's balance before the calls. */
  balance: number
}

/** Each complete answer has one row, no call has two, and the balance has paid for the rows and nothing else. At
 *  least one answer must be complete. */
export async function expectChargedOnce(
  app: App,
  customer: Customer,
  answers: readonly SeenAnswer[],
  { units, balance }: Charged,
): Promise<void> {
  const complete = answers.filter(({ status, isComplete }) => status === 200 && isComplete)
  expect(complete.length).toBeGreaterThan(0)
  const rows = await consumptionRows(app.root, customer.username)
  const ids = rows.map(({ request_id }) => request_id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(complete.filter(({ requestId }) => !ids.includes(requestId))).toEqual([])
  expect(await balanceOf(customer)).toBe(balance - ids.length * units)
}
