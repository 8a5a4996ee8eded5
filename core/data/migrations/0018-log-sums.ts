import type { MigrationContext } from '../migrate.ts'

/** What was spent, by hour or day and by one property of the log's rows; core/logs/summed-quota-sql.ts keeps it. */
export async function up({ run, dialect }: MigrationContext): Promise<void> {
  // A sum is a lookup by the key for each hour or day: beside its key the row need not be looked up once more.
  const byKey = dialect === 'sqlite' ? 'WITHOUT ROWID' : ''
  await run(
    `CREATE TABLE log_sums (
      kind TEXT NOT NULL,
      subject TEXT NOT NULL,
      start_at BIGINT NOT NULL,
      quota BIGINT NOT NULL,
      PRIMARY KEY (kind, subject, start_at)
    ) ${byKey}`,
  )
  // How far the log has been summed.
  await run('CREATE TABLE log_sums_progress (id INTEGER PRIMARY KEY, last_id BIGINT NOT NULL)')
  await run('INSERT INTO log_sums_progress (id, last_id) VALUES (1, 0)')
}
