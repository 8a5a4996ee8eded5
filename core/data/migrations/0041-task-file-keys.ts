import type { MigrationContext } from '../migrate.ts'

/** What opens a task's file for whoever has its address. Tasks of before have none, and their addresses stay as they were. */
export async function up({ run }: MigrationContext): Promise<void> {
  await run(`ALTER TABLE tasks ADD COLUMN file_key TEXT NOT NULL DEFAULT ''`)
}
