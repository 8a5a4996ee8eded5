import type { MigrationContext } from '../migrate.ts'

/** Why the last test of a channel failed; without it the time of a quick refusal looked like a good one. */
export async function up({ run }: MigrationContext): Promise<void> {
  await run("ALTER TABLE channels ADD COLUMN test_fault TEXT NOT NULL DEFAULT ''")
}
