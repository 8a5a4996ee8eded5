import type { MigrationContext } from '../migrate.ts'

/** Which of a channel's keys has a task: upstreams show it to that one only. */
export async function up({ run }: MigrationContext): Promise<void> {
  await run(`ALTER TABLE tasks ADD COLUMN key_hash TEXT NOT NULL DEFAULT ''`)
}
