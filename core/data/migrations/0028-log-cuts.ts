import type { MigrationContext } from '../migrate.ts'

/** How often the newest rows of the log were deleted, whose ids SQLite gives anew; core/logs/log-clearing-sql.ts says who asks. */
export async function up({ run }: MigrationContext): Promise<void> {
  await run('ALTER TABLE log_progress ADD COLUMN cut_count BIGINT NOT NULL DEFAULT 0')
  await run('ALTER TABLE log_progress ADD COLUMN cut_id BIGINT NOT NULL DEFAULT 0')
}
