import type { MigrationContext } from '../migrate.ts'

/** What realtime sessions under way have been charged, each as the log row that its end would write: a process that is killed owes that row. */
export async function up({ run }: MigrationContext): Promise<void> {
  await run(`CREATE TABLE open_sessions (
    request_id TEXT PRIMARY KEY,
    node_id TEXT NOT NULL,
    log TEXT NOT NULL
  )`)
  await run('CREATE INDEX open_sessions_node ON open_sessions (node_id)')
}
