import type { MigrationContext } from '../migrate.ts'

/** The code itself, encrypted: so that whoever asks again is sent the same one. */
export async function up({ run }: MigrationContext): Promise<void> {
  await run(`ALTER TABLE one_time_codes ADD COLUMN sealed TEXT NOT NULL DEFAULT ''`)
}
