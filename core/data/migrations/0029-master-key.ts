import type { MigrationContext } from '../migrate.ts'

/** One row, sealed by the key of the first start: a node with another key is found before it writes anything. */
export async function up({ run }: MigrationContext): Promise<void> {
  await run('CREATE TABLE master_key (id INTEGER PRIMARY KEY, sealed TEXT NOT NULL)')
}
