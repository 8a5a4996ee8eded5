import type { DatabaseService } from '../contract/services.ts'
import { verifyLeases, verifyLedger } from '../billing/ledger/ledger-verify-report.ts'

/**
 * `tollgate ledger verify`: proves that every balance is the sum of its entries and that what is leased is what nodes
 * hold. It only reads, and may run beside a gateway that serves.
 * @returns the exit code: 0 when all is right
 */
export async function ledgerVerify({
  database,
  print,
}: {
  database: DatabaseService
  print: (line: string) => void
}): Promise<number> {
  const { users, faults } = await verifyLedger(database)
  const leases = await verifyLeases(database)
  for (const { userId, balance, sum } of faults) {
    print(`user ${userId}: the balance is ${balance}, the sum of its entries is ${sum}`)
  }
  for (const { kind, id, leased, sum } of leases) {
    print(`${kind} ${id}: ${leased} units are marked as leased, nodes hold ${sum}`)
  }
  const count = faults.length + leases.length
  print(`${users} users checked, ${count === 0 ? 'every balance is right' : `${count} faults`}`)
  return count === 0 ? 0 : 1
}
