import type { MigrationContext } from '../migrate.ts'

/** Between which ids of requests the rows of a block of the log are; core/logs/log-request-blocks-sql.ts keeps it, the past included. */
export async function up({ run, dialect }: MigrationContext): Promise<void> {
  // Compared byte by byte, whatever the language of the database.
  const text = dialect === 'postgres' ? 'TEXT COLLATE "C" NOT NULL' : 'TEXT NOT NULL'
  await run(
    `CREATE TABLE log_request_blocks (
      block BIGINT PRIMARY KEY,
      first_request ${text},
      last_request ${text}
    )`,
  )
  await run('ALTER TABLE log_progress ADD COLUMN requests_to BIGINT NOT NULL DEFAULT 0')
}
