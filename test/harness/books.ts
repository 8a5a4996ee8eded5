// What must stand in the books, whatever was done to the gateway meanwhile.
import { expect } from 'vitest'
import type { App } from './app.ts'
import type { SeenAnswer } from './relay-call.ts'
import { balanceOf, consumptionRows, type Customer } from './shop.ts'

/** `tollgate ledger verify` finds nothing wrong. The process may have ended, its data must be there. */
export async function expectSoundBooks(app: App): Promise<void> {
  const { code, output } = await app.command('ledger', 'verify')
  expect({ code, output }).toMatchObject({ code: 0 })
}

interface Charged {
  /** Of one call. */
  units: number
  /** What the customer had before. */
  balance: number
}

/** Each answer that came whole has its row, no call has two, and the balance has paid for the rows and nothing else. Some must have come whole. */
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
