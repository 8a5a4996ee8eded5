import type { MigrationContext } from '../migrate.ts'

/** When a session was used last, to five minutes: its owner tells by it which of them is his. */
export async function up({ run }: MigrationContext): Promise<void> {
  await run('ALTER TABLE sessions ADD COLUMN last_used_at BIGINT NOT NULL DEFAULT 0')
}
