import type { MigrationContext } from '../migrate.ts'

/**
 * Where in the log a busy customer or channel met a model, a group or a channel; core/logs/log-pairs-sql.ts keeps it. Of two frequent values
 * that never met, all rows of one were read to find none.
 */
export async function up({ run, dialect }: MigrationContext): Promise<void> {
  const byKey = dialect === 'sqlite' ? 'WITHOUT ROWID' : ''
  // Of everybody how many rows there are; `paired_id`: how far those of the busy have been looked at.
  await run(
    `CREATE TABLE log_owners (
      kind TEXT NOT NULL,
      owner BIGINT NOT NULL,
      row_count BIGINT NOT NULL,
      paired_count BIGINT NOT NULL DEFAULT 0,
      paired_id BIGINT NOT NULL DEFAULT 0,
      PRIMARY KEY (kind, owner)
    )`,
  )
  await run('CREATE INDEX log_owners_paired ON log_owners (paired_id) WHERE paired_id > 0')
  await run(
    `CREATE TABLE log_pairs (
      owner_kind TEXT NOT NULL,
      owner BIGINT NOT NULL,
      kind TEXT NOT NULL,
      subject TEXT NOT NULL,
      block BIGINT NOT NULL,
      first_id BIGINT NOT NULL,
      last_id BIGINT NOT NULL,
      PRIMARY KEY (owner_kind, owner, kind, subject, block)
    ) ${byKey}`,
  )
  for (const [kind, column] of [
    ['user', 'user_id'],
    ['channel', 'channel_id'],
  ] as const) {
    await run(
      `INSERT INTO log_owners (kind, owner, row_count) SELECT '${kind}', ${column}, COUNT(*) FROM logs
       WHERE id <= (SELECT last_id FROM log_progress WHERE id = 1) GROUP BY ${column}`,
    )
  }
}
