import type { PluginServices } from '#core'
import { codeStatus } from './schema.ts'

/** Checks that the ledger has exactly one entry for each used code, and none without a code. @returns the exit code */
export async function verifyCodes(
  database: PluginServices['database'],
  print: (line: string) => void,
): Promise<number> {
  const faults = await database.select<{ ref: string; quota: number; sum: number }>(
    `SELECT COALESCE(entry.ref, 'redemption:' || used.id) AS ref,
      COALESCE(used.quota, 0) AS quota, COALESCE(entry.total, 0) AS sum
    FROM (SELECT id, quota FROM redemptions__codes WHERE status = ${codeStatus.used}) used
    FULL OUTER JOIN (
      SELECT ref, CAST(SUM(amount) AS BIGINT) AS total FROM ledger_entries
      WHERE kind = 'topup' AND ref LIKE 'redemption:%' GROUP BY ref
    ) entry ON entry.ref = 'redemption:' || used.id
    WHERE COALESCE(used.quota, 0) <> COALESCE(entry.total, 0)`,
  )
  for (const { ref, quota, sum } of faults)
    print(`${ref}: the code is worth ${quota} units, the ledger entered ${sum}`)
  print(faults.length === 0 ? 'Every used code is in the ledger' : `${faults.length} faults`)
  return faults.length === 0 ? 0 : 1
}
