import type { MigrationContext } from '../migrate.ts'

/** Who changed which option, from what to what. */
export async function up({ run, dialect }: MigrationContext): Promise<void> {
  const id = dialect === 'sqlite' ? 'INTEGER PRIMARY KEY AUTOINCREMENT' : 'BIGSERIAL PRIMARY KEY'
  await run(`CREATE TABLE option_changes (
    id ${id},
    key TEXT NOT NULL,
    changed_at BIGINT NOT NULL,
    user_id BIGINT NOT NULL,
    username TEXT NOT NULL,
    origin TEXT NOT NULL,
    is_secret BOOLEAN NOT NULL,
    old_value TEXT,
    new_value TEXT,
    old_size BIGINT NOT NULL,
    new_size BIGINT NOT NULL
  )`)
  await run('CREATE INDEX option_changes_key ON option_changes (key, id)')
}
