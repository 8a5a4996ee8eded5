import type { MigrationContext } from '../migrate.ts'

/** Responses that their upstreams make in the background and that are not charged yet. Whoever deletes the row charges the response. */
export async function up({ run }: MigrationContext): Promise<void> {
  await run(`CREATE TABLE open_responses (
    request_id TEXT PRIMARY KEY,
    node_id TEXT NOT NULL,
    facts TEXT NOT NULL
  )`)
}
