import type { MigrationContext } from '../migrate.ts'

/** Whether somebody else has chosen or seen the password. */
export async function up({ run }: MigrationContext): Promise<void> {
  await run('ALTER TABLE users ADD COLUMN password_made BOOLEAN NOT NULL DEFAULT FALSE')
}
