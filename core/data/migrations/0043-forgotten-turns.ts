import type { MigrationContext } from '../migrate.ts'

/** Answers that their clients have deleted (core/decisions/0033): a row lives for a day. */
export async function up({ run }: MigrationContext): Promise<void> {
  await run(
    `CREATE TABLE forgotten_turns (
      user_id BIGINT NOT NULL,
      id TEXT NOT NULL,
      created_at BIGINT NOT NULL,
      PRIMARY KEY (user_id, id)
    )`,
  )
  await run('CREATE INDEX forgotten_turns_created ON forgotten_turns (created_at)')
}
