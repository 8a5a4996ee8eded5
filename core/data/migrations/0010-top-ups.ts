import type { MigrationContext } from '../migrate.ts'

/** Orders of quota that are paid online. */
export async function up({ run, dialect }: MigrationContext): Promise<void> {
  const id = dialect === 'sqlite' ? 'INTEGER PRIMARY KEY AUTOINCREMENT' : 'BIGSERIAL PRIMARY KEY'
  await run(`CREATE TABLE top_ups (
    id ${id},
    user_id BIGINT NOT NULL,
    trade_no TEXT NOT NULL,
    provider TEXT NOT NULL,
    payment_method TEXT NOT NULL,
    merchant TEXT NOT NULL DEFAULT '',
    amount BIGINT NOT NULL,
    quota BIGINT NOT NULL,
    money TEXT NOT NULL,
    currency TEXT NOT NULL,
    status TEXT NOT NULL DEFAULT 'pending',
    reference TEXT NOT NULL DEFAULT '',
    refunded_quota BIGINT NOT NULL DEFAULT 0,
    create_time BIGINT NOT NULL,
    complete_time BIGINT NOT NULL DEFAULT 0
  )`)
  await run('CREATE UNIQUE INDEX top_ups_trade_no ON top_ups (trade_no)')
  await run('CREATE INDEX top_ups_user ON top_ups (user_id, id)')
  await run("CREATE INDEX top_ups_reference ON top_ups (provider, reference) WHERE reference <> ''")
}
