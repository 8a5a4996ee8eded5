import type { MigrationContext } from '../../migrate.ts'

/** How often an edit has taken this lease back; the node that holds it compares (core/billing/ledger/lease-recalls.ts). */
export async function up({ run }: MigrationContext): Promise<void> {
  await run('ALTER TABLE leases ADD COLUMN recalls BIGINT NOT NULL DEFAULT 0')
}
