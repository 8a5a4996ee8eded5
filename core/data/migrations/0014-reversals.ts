import type { MigrationContext } from '../migrate.ts'

/** What payment providers told of money that went back: facts, only ever added. What the ledger took back for them stands with the order. */
export async function up({ run, dialect }: MigrationContext): Promise<void> {
  await run(
    `CREATE TABLE top_up_reversals (
      provider TEXT NOT NULL,
      reference TEXT NOT NULL,
      name TEXT NOT NULL,
      kind TEXT NOT NULL,
      money TEXT NOT NULL,
      currency TEXT NOT NULL,
      create_time BIGINT NOT NULL,
      PRIMARY KEY (provider, reference, name, kind, money)
    )`,
  )
  await run('ALTER TABLE top_ups ADD COLUMN taken_quota BIGINT NOT NULL DEFAULT 0')
  await run(
    `UPDATE top_ups SET taken_quota = COALESCE((
      SELECT -SUM(amount) FROM ledger_entries
      WHERE kind = 'refund' AND ref LIKE 'order:' || top_ups.trade_no || ':%'), 0)
    WHERE refunded_quota > 0`,
  )
  const part =
    dialect === 'sqlite'
      ? `printf('%.2f', CAST(money AS REAL) * refunded_quota / quota)`
      : `CAST(ROUND(CAST(money AS NUMERIC) * refunded_quota / quota, 2) AS TEXT)`
  await run(
    `INSERT INTO top_up_reversals (provider, reference, name, kind, money, currency, create_time)
    SELECT provider, reference, '', 'gone', CASE WHEN refunded_quota >= quota THEN money ELSE ${part} END,
      currency, complete_time
    FROM top_ups WHERE refunded_quota > 0 AND reference <> ''`,
  )
}
