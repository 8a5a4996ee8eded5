import type { DatabaseService } from '../../contract/services.ts'
import type { LedgerService } from '../../contract/money-services.ts'

/** Compares every balance with the sum of its entries, in one statement and thus at one moment. */
export async function verifyLedger(database: DatabaseService): ReturnType<LedgerService['verify']> {
  const [count] = await database.select<{ users: number }>('SELECT COUNT(*) AS users FROM users')
  const faults = await database.select<{ userId: number; balance: number; sum: number }>(
    `SELECT users.id AS "userId", users.quota AS balance, CAST(COALESCE(entry.total, 0) AS BIGINT) AS sum
    FROM users
    LEFT JOIN (SELECT user_id, SUM(amount) AS total FROM ledger_entries GROUP BY user_id) entry
      ON entry.user_id = users.id
    WHERE users.quota <> COALESCE(entry.total, 0) ORDER BY users.id`,
  )
  return { users: count?.users ?? 0, faults }
}

/** Compares the leased units in the balances with the leases of the nodes. */
export async function verifyLeases(
  database: DatabaseService,
): Promise<{ kind: string; id: number; leased: number; sum: number }[]> {
  const part = (kind: string, table: string) =>
    `SELECT '${kind}' AS kind, ${table}.id AS id, ${table}.leased AS leased,
      CAST(COALESCE(lease.total, 0) AS BIGINT) AS sum
    FROM ${table}
    LEFT JOIN (SELECT subject_id, SUM(units) AS total FROM leases WHERE kind = '${kind}' GROUP BY subject_id) lease
      ON lease.subject_id = ${table}.id
    WHERE ${table}.leased <> COALESCE(lease.total, 0)`
  return database.select(`${part('user', 'users')} UNION ALL ${part('token', 'tokens')}`)
}

/** Compares paid orders with their entries in the ledger: each must be entered once, and no entry may lack its order. */
export async function verifyOrders(
  database: DatabaseService,
): Promise<{ ref: string; quota: number; sum: number }[]> {
  return database.select(
    `SELECT COALESCE(entry.ref, 'order:' || paid.trade_no) AS ref,
      COALESCE(paid.quota, 0) AS quota, COALESCE(entry.total, 0) AS sum
    FROM (SELECT trade_no, quota FROM top_ups WHERE status IN ('success', 'refunded')) paid
    FULL OUTER JOIN (
      SELECT ref, CAST(SUM(amount) AS BIGINT) AS total FROM ledger_entries
      WHERE kind = 'topup' AND ref LIKE 'order:%' GROUP BY ref
    ) entry ON entry.ref = 'order:' || paid.trade_no
    WHERE COALESCE(paid.quota, 0) <> COALESCE(entry.total, 0)`,
  )
}

/** Compares reversals of orders with their entries: never more than the order credited, and no entry without an order. */
export async function verifyReversals(
  database: DatabaseService,
): Promise<{ ref: string; taken: number; sum: number }[]> {
  const trade =
    database.dialect === 'sqlite'
      ? `SUBSTR(ref, 7, INSTR(SUBSTR(ref, 7), ':') - 1)`
      : `SPLIT_PART(ref, ':', 2)`
  return database.select(
    `SELECT 'order:' || COALESCE(entry.trade_no, taken.trade_no) AS ref,
      COALESCE(taken.taken_quota, 0) AS taken, COALESCE(entry.total, 0) AS sum
    FROM (
      SELECT trade_no, taken_quota, quota FROM top_ups WHERE taken_quota <> 0 OR refunded_quota <> 0
    ) taken
    FULL OUTER JOIN (
      SELECT ${trade} AS trade_no, CAST(-SUM(amount) AS BIGINT) AS total FROM ledger_entries
      WHERE kind = 'refund' AND ref LIKE 'order:%' GROUP BY 1
    ) entry ON entry.trade_no = taken.trade_no
    WHERE COALESCE(taken.taken_quota, 0) <> COALESCE(entry.total, 0)
      OR taken.taken_quota < 0 OR taken.taken_quota > taken.quota`,
  )
}
