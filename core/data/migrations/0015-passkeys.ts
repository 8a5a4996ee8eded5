import type { MigrationContext } from '../migrate.ts'

/** Keys of WebAuthn: ways to sign in without a password, and second factors. */
export async function up({ run }: MigrationContext): Promise<void> {
  await run(
    `CREATE TABLE passkeys (
      id TEXT PRIMARY KEY,
      user_id BIGINT NOT NULL,
      credential_id TEXT NOT NULL,
      public_key TEXT NOT NULL,
      counter BIGINT NOT NULL DEFAULT 0,
      rp_id TEXT NOT NULL,
      transports TEXT NOT NULL DEFAULT '[]',
      name TEXT NOT NULL,
      is_backed_up INTEGER NOT NULL DEFAULT 0,
      created_at BIGINT NOT NULL,
      last_used_at BIGINT NOT NULL DEFAULT 0
    )`,
  )
  await run('CREATE UNIQUE INDEX passkeys_credential ON passkeys (credential_id)')
  await run('CREATE INDEX passkeys_user ON passkeys (user_id, created_at)')
}
