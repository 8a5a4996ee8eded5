import type { MigrationContext } from '../migrate.ts'

/** Which installed version of a plugin counts, and what was confirmed that it asks for. What is on already was never asked about: it goes on. */
export async function up({ run }: MigrationContext): Promise<void> {
  await run("ALTER TABLE plugins ADD COLUMN version TEXT NOT NULL DEFAULT ''")
  await run("ALTER TABLE plugins ADD COLUMN confirmed TEXT NOT NULL DEFAULT ''")
  await run(`UPDATE plugins SET confirmed = '["*"]' WHERE enabled`)
}
