import type { IndexChange } from '../late-indexes.ts'
import type { MigrationContext } from '../migrate.ts'

/**
 * Which rows of the log each quarter of an hour has, and what they add up to; core/logs/log-quarters-sql.ts keeps it. A span of time becomes a
 * span of ids, in which every index of the log ends: the one on time, an entry more for each call, is no longer needed.
 */
export async function up({ run }: MigrationContext): Promise<void> {
  // First, and under another name: a node of an older version that sums meanwhile would leave rows out of the quarters for ever.
  await run('ALTER TABLE log_sums_progress RENAME TO log_progress')
  await run(
    `CREATE TABLE log_quarters (
      start_at BIGINT PRIMARY KEY,
      first_id BIGINT NOT NULL,
      last_id BIGINT NOT NULL,
      quota BIGINT NOT NULL,
      calls BIGINT NOT NULL,
      errors BIGINT NOT NULL
    )`,
  )
  const isCounted = `NOT (token_id = 0 AND token_name = 'channel test')`
  const sumWhere = (condition: string, value: string) =>
    `CAST(SUM(CASE WHEN ${condition} AND ${isCounted} THEN ${value} ELSE 0 END) AS BIGINT)`
  await run(
    `INSERT INTO log_quarters (start_at, first_id, last_id, quota, calls, errors)
     SELECT created_at - created_at % 900, MIN(id), MAX(id), ${sumWhere('type = 2', 'quota')},
       ${sumWhere('type = 2', '1')}, ${sumWhere('type = 5', '1')}
     FROM logs WHERE id <= (SELECT last_id FROM log_progress WHERE id = 1) GROUP BY 1`,
  )
  await run(`DELETE FROM log_sums WHERE kind = 'all'`)
  // Who has had a name: rows are found by the index on user and id, also those of a name that nobody bears any more.
  await run(
    `CREATE TABLE log_users (
      username TEXT NOT NULL,
      user_id BIGINT NOT NULL,
      PRIMARY KEY (username, user_id)
    )`,
  )
  await run('CREATE INDEX log_users_user ON log_users (user_id)')
  await run(
    `INSERT INTO log_users (username, user_id)
     SELECT DISTINCT username, user_id FROM logs WHERE id <= (SELECT last_id FROM log_progress WHERE id = 1)`,
  )
}

/** Errors of one user, channel or model are looked for among a hundred times as many calls. What is a call (type 2) costs no entry. */
export const indexes: readonly IndexChange[] = [
  { name: 'logs_type_user', table: 'logs', on: '(type, user_id, id) WHERE type <> 2' },
  { name: 'logs_type_channel', table: 'logs', on: '(type, channel_id, id) WHERE type <> 2' },
  { name: 'logs_type_model', table: 'logs', on: '(type, model_name, id) WHERE type <> 2' },
  { name: 'logs_created', table: 'logs' },
]
