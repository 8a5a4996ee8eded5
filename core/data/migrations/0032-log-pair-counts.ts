import type { MigrationContext } from '../migrate.ts'

/**
 * How many rows of two values there are in each block of ids; core/logs/log-pairs-sql.ts counts them. Owners whose pairs are of before
 * (`counted_id`) are looked at anew by the job; so are those that a process of an older version writes meanwhile, which knows of no counts.
 */
export async function up({ run }: MigrationContext): Promise<void> {
  await run('ALTER TABLE log_pairs ADD COLUMN row_count BIGINT NOT NULL DEFAULT 0')
  await run('ALTER TABLE log_owners ADD COLUMN counted_id BIGINT NOT NULL DEFAULT 0')
  // Of blocks from here on no row was deleted.
  await run('ALTER TABLE log_progress ADD COLUMN whole_from BIGINT NOT NULL DEFAULT 0')
}
