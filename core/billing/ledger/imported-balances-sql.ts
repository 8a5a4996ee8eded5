import type { Transaction } from 'sequelize'
import type { DatabaseService } from '../../contract/services.ts'

/** Enters the balances of accounts that were taken over from another gateway. The accounts have no entry yet. */
export async function enterImportedBalances(
  database: DatabaseService,
  nowSeconds: number,
  transaction: Transaction,
): Promise<void> {
  await database.run(
    `INSERT INTO ledger_entries (user_id, token_id, kind, ref, amount, balance, created_at)
    SELECT id, 0, 'import', 'user:' || id, quota, quota, :nowSeconds FROM users WHERE quota <> 0 ORDER BY id`,
    { nowSeconds },
    transaction,
  )
}
