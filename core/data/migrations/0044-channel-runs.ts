import type { MigrationContext } from '../migrate.ts'

/** How far tests and balances of all channels are: one row for each kind of run, for the one that was begun last. `claim` names the
 *  run, `seen_at` is the time of its last note; both times are of the database's clock. */
export async function up({ run }: MigrationContext): Promise<void> {
  await run(
    `CREATE TABLE channel_runs (
      kind TEXT NOT NULL PRIMARY KEY,
      state TEXT NOT NULL,
      claim TEXT NOT NULL,
      host TEXT NOT NULL,
      username TEXT NOT NULL,
      stopped_by TEXT NOT NULL DEFAULT '',
      total BIGINT NOT NULL,
      done BIGINT NOT NULL DEFAULT 0,
      failed BIGINT NOT NULL DEFAULT 0,
      skipped BIGINT NOT NULL DEFAULT 0,
      started_at BIGINT NOT NULL,
      seen_at BIGINT NOT NULL
    )`,
  )
}
