import type { MigrationContext } from '../migrate.ts'

/** On its way from one node to another (core/decisions/0034): a row lives for moments. */
export async function up({ run }: MigrationContext): Promise<void> {
  await run(
    `CREATE TABLE moved_items (
      question TEXT NOT NULL,
      id TEXT NOT NULL,
      sealed TEXT NOT NULL,
      created_at BIGINT NOT NULL,
      PRIMARY KEY (question, id)
    )`,
  )
}
