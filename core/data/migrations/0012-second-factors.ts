import type { MigrationContext } from '../migrate.ts'

/** Codes of an authenticator beside the password, with codes for whoever lost it. */
export async function up({ run }: MigrationContext): Promise<void> {
  await run(
    `CREATE TABLE second_factors (
      user_id BIGINT PRIMARY KEY,
      secret TEXT NOT NULL,
      is_enabled INTEGER NOT NULL DEFAULT 0,
      last_step BIGINT NOT NULL DEFAULT 0,
      recovery TEXT NOT NULL,
      created_at BIGINT NOT NULL
    )`,
  )
}
