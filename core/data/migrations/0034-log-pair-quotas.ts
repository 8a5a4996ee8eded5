import type { MigrationContext } from '../migrate.ts'

/**
 * What the rows of two values cost in each block of ids; core/logs/log-pairs-sql.ts sums it. Owners whose pairs are of before (`spent_id`) are
 * looked at anew by the job; so are those that a process of an older version writes meanwhile, which knows of no sums.
 */
export async function up({ run }: MigrationContext): Promise<void> {
  await run('ALTER TABLE log_pairs ADD COLUMN quota BIGINT NOT NULL DEFAULT 0')
  await run('ALTER TABLE log_owners ADD COLUMN spent_id BIGINT NOT NULL DEFAULT 0')
}
