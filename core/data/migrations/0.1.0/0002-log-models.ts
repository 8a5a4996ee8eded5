import type { MigrationContext } from '../../migrate.ts'

/** The distinct model names of the log, so that a pattern is matched against them and never against all rows. */
export async function up({ run }: MigrationContext): Promise<void> {
  await run('CREATE TABLE log_models (name TEXT PRIMARY KEY)')
  await run(
    `INSERT INTO log_models (name) SELECT DISTINCT model_name FROM logs WHERE model_name <> ''`,
  )
}
