import type { MigrationContext } from '../migrate.ts'

/** Browsers in which an account has signed in: they need not wait behind the guesses of strangers. */
export async function up({ run }: MigrationContext): Promise<void> {
  await run(
    `CREATE TABLE known_devices (
      id_hash TEXT PRIMARY KEY,
      user_id BIGINT NOT NULL,
      session_id TEXT NOT NULL,
      created_at BIGINT NOT NULL,
      expires_at BIGINT NOT NULL
    )`,
  )
  await run('CREATE INDEX known_devices_user ON known_devices (user_id, created_at)')
  await run('CREATE INDEX known_devices_expires ON known_devices (expires_at)')
}
