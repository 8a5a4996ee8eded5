import type { MigrationContext } from '../../migrate.ts'

/** Which channel and key made a stored response: only they can be asked for it again. */
export async function up({ run }: MigrationContext): Promise<void> {
  await run(
    `CREATE TABLE stored_responses (
      id TEXT NOT NULL,
      user_id BIGINT NOT NULL,
      channel_id BIGINT NOT NULL,
      key_hash TEXT NOT NULL,
      model TEXT NOT NULL,
      created_at BIGINT NOT NULL,
      PRIMARY KEY (id, user_id)
    )`,
  )
  await run('CREATE INDEX stored_responses_created ON stored_responses (created_at)')
}
