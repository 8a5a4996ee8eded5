import type { DatabaseService } from '../contract/services.ts'
import {
  verifyLeases,
  verifyLedger,
  verifyOrders,
  verifyReversals,
} from '../billing/ledger/ledger-verify-report.ts'
import type { Print } from './print.ts'

/** `tollgate ledger verify`: checks that every balance is the sum of its entries, that leased units are what nodes
 *  hold, that each paid order was credited once, and that no more was taken back than credited. It only reads, also
 *  while a gateway is running.
 *  @returns the exit code: 0 if all is right */
export async function ledgerVerify({
  database,
  print,
}: {
  database: DatabaseService
  print: Print
}): Promise<number> {
  const { users, faults } = await verifyLedger(database)
  const leases = await verifyLeases(database)
  const orders = await verifyOrders(database)
  const reversals = await verifyReversals(database)
  for (const { userId, balance, sum } of faults) {
    print(`user ${userId}: the balance is ${balance}, the sum of its entries is ${sum}`)
  }
  for (const { kind, id, leased, sum } of leases) {
    print(`${kind} ${id}: ${leased} units are marked as leased, nodes hold ${sum}`)
  }
  for (const { ref, quota, sum } of orders) {
    print(`${ref}: ${quota} units were paid for, the ledger entered ${sum}`)
  }
  for (const { ref, taken, sum } of reversals) {
    print(`${ref}: ${taken} units are marked as taken back, the ledger entered ${sum}`)
  }
  const count = faults.length + leases.length + orders.length + reversals.length
  print(`${users} users checked, ${count === 0 ? 'every balance is right' : `${count} faults`}`)
  return count === 0 ? 0 : 1
}
