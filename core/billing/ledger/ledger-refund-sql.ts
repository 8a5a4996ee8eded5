import { tokenStatus } from '../../contract/constants.ts'
import type { Transaction } from 'sequelize'
import type { DatabaseService } from '../../contract/services.ts'
import type { LogRow } from '../../contract/money-services.ts'
import type { Balances } from './ledger-balance-sql.ts'

export interface Refund {
  userId: number
  tokenId: number
  channelId: number
  /** The units that were charged. */
  units: number
  /** The name of the charge. A second refund of it is refused. */
  ref: string
  log: (Partial<LogRow> & { user_id: number }) | undefined
  transaction: Transaction
}

interface RefundDeps {
  database: DatabaseService
  balances: Balances
  writeLog(row: Partial<LogRow>, transaction: Transaction): Promise<void>
}

/** Returns a charge to the user, the token and the counters, with a log row if there is one. Locks are taken in the ledger's order:
 *  users, tokens, channels. The number of requests stays, because the call was made. */
export async function refundCharge(
  { database, balances, writeLog }: RefundDeps,
  { userId, tokenId, channelId, units, ref, log, transaction }: Refund,
): Promise<void> {
  await balances.change({ userId, units, kind: 'refund', ref, transaction })
  const run = (sql: string, id: number) => database.run(sql, { id, units }, transaction)
  await run('UPDATE users SET used_quota = used_quota - :units WHERE id = :id', userId)
  // A token that this charge has exhausted can be used again.
  await run(
    `UPDATE tokens SET used_quota = used_quota - :units,
      remain_quota = CASE WHEN unlimited_quota THEN remain_quota ELSE remain_quota + :units END,
      status = CASE WHEN status = ${tokenStatus.exhausted} AND remain_quota + :units > 0 THEN ${tokenStatus.enabled} ELSE status END
    WHERE id = :id`,
    tokenId,
  )
  await run('UPDATE channels SET used_quota = used_quota - :units WHERE id = :id', channelId)
  if (log) await writeLog(log, transaction)
}
