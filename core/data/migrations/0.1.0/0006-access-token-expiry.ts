import type { MigrationContext } from '../../migrate.ts'

/** Unix seconds; NULL is never. */
export async function up({ run }: MigrationContext): Promise<void> {
  await run('ALTER TABLE users ADD COLUMN access_token_expires_at BIGINT')
}
