// Checks the books after a gateway was disturbed.
import { expect } from 'vitest'
import { ledgerVerify } from '../../core/cli/ledger-verify.ts'
import { openDatabase } from '../../core/data/database.ts'
import { requireCurrent } from '../../core/data/migrate.ts'
import type { App } from './app.ts'
import { quietLog } from './quiet-log.ts'
import type { SeenAnswer } from './relay-call.ts'
import { balanceOf, consumptionRows, type Customer } from './shop.ts'

/** What `tollgate ledger verify` does finds no fault. It is done in this process, because a command takes a second of processor time only
 *  to load. The gateway may have ended, but its data must exist. */
export async function expectSoundBooks({ dataDir, env }: App): Promise<void> {
  const url = env['DATABASE_URL'] || undefined
  const database = await openDatabase({ url, dataDir, log: quietLog })
  try {
    await requireCurrent(database)
    const lines: string[] = []
    const code = await ledgerVerify({ database, print: (line) => lines.push(line) })
    expect({ code, lines }).toMatchObject({ code: 0 })
  } finally {
    await database.close()
  }
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
