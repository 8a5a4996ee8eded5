import type { MigrationContext } from '../migrate.ts'

/** How often a plugin failed to load, and why the last time: one that failed twice is not tried again by itself. */
export async function up({ run }: MigrationContext): Promise<void> {
  await run('ALTER TABLE plugins ADD COLUMN failures INTEGER NOT NULL DEFAULT 0')
  await run("ALTER TABLE plugins ADD COLUMN cause TEXT NOT NULL DEFAULT ''")
}
