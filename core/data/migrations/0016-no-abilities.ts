import type { MigrationContext } from '../migrate.ts'

export const needsStop = true

/** Which channel serves what is derived from `channels` in memory; nobody read the table that repeated it. */
export async function up({ run }: MigrationContext): Promise<void> {
  await run('DROP TABLE abilities')
}
