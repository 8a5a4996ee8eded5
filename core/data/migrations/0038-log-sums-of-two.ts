import type { MigrationContext } from '../migrate.ts'

/**
 * Busy customers' tokens and names are told with their pairs, what a group spent of a model with the sums; those by name are gone, for sums by user
 * and pairs say the same. The log's job looks at the busy anew.
 */
export async function up({ run }: MigrationContext): Promise<void> {
  await run('DELETE FROM log_pairs')
  await run('UPDATE log_owners SET paired_id = 0, paired_count = 0')
  // How far they knew counts and quotas, beside processes that wrote none: nodes of an earlier version no longer sum the log.
  await run('ALTER TABLE log_owners DROP COLUMN counted_id')
  await run('ALTER TABLE log_owners DROP COLUMN spent_id')
  await run(`DELETE FROM log_sums WHERE kind = 'username'`)
  await run(
    `INSERT INTO log_sums (kind, subject, start_at, quota)
     SELECT 'group model', "group" || '\n' || model_name, created_at - created_at % 86400, CAST(SUM(quota) AS BIGINT) FROM logs
     WHERE type = 2 AND NOT (token_id = 0 AND token_name = 'channel test')
       AND id <= (SELECT last_id FROM log_progress WHERE id = 1) AND created_at >= (SELECT sums_from FROM log_progress WHERE id = 1)
     GROUP BY 2, 3`,
  )
}
