import type { MigrationContext } from '../migrate.ts'

/** While old rows are deleted their sums are not asked; core/logs/log-clearing-sql.ts says from when on they hold. */
export async function up({ run }: MigrationContext): Promise<void> {
  await run('ALTER TABLE log_progress ADD COLUMN sums_from BIGINT NOT NULL DEFAULT 0')
}
