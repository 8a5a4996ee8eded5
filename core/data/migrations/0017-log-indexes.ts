import type { MigrationContext } from '../migrate.ts'

/**
 * One for each filter of the log, newest last, so that rows of a rare value are found without walking all others. What nearly
 * all rows have, consumption (type 2) in the group `default`, is found by walking and costs no entry.
 */
export async function up({ run }: MigrationContext): Promise<void> {
  await run('CREATE INDEX logs_channel ON logs (channel_id, id)')
  await run('CREATE INDEX logs_model ON logs (model_name, id)')
  await run('CREATE INDEX logs_token ON logs (token_name, id)')
  await run(`CREATE INDEX logs_group ON logs ("group", id) WHERE "group" <> 'default'`)
  await run('CREATE INDEX logs_type ON logs (type, id) WHERE type <> 2')
}
