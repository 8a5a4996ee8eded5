import type { MigrationContext } from '../migrate.ts'

export const needsStop = true

/** Whole seconds hide what a fast call took: the column holds milliseconds, from which the wire's seconds are told. */
export async function up({ run }: MigrationContext): Promise<void> {
  await run('ALTER TABLE logs RENAME COLUMN use_time TO use_time_ms')
  await run('UPDATE logs SET use_time_ms = use_time_ms * 1000 WHERE use_time_ms <> 0')
}
