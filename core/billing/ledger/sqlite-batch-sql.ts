import { tokenStatus } from '../../contract/constants.ts'
import type { BatchCall } from '../../data/database.ts'
import { storableJson } from '../../data/named-values.ts'
import { type Columns, entryColumns, logColumns, quoted, spentColumns } from './batch-columns.ts'
import type { BatchContent } from './ledger-batch.ts'

/** The parts of a batch, in the order of the statement's values. */
const parts = [
  'spent_by_user',
  'spent_by_token',
  'spent_by_channel',
  'user_leases',
  'token_leases',
  'entries',
  'logs',
  'models',
  'at_seconds',
  'node_id',
]

/** Rows are passed as arrays, because SQLite reads a value of an array in half the time of one of an object.
 *  `json_each` would return each row as text, to be parsed again for each of its values. Rows keep the order of the
 *  array, so what is written in one scan needs no sorting. */
function rows(part: string, columns: Columns): string {
  const values = quoted(columns).map((name, place) => `value ->> ${place} AS ${name}`)
  return `(SELECT ${values.join(', ')} FROM jsonb_each(NEW.${part}))`
}

const logNames = quoted(logColumns)
const logValues = logNames.map((name) =>
  name === '"username"'
    ? `COALESCE(log.username, (SELECT username FROM users WHERE id = log.user_id), '')`
    : `log.${name}`,
)

/** Each row of the batch looks up its own lease. In a join, SQLite would read all leases of the node for each row of
 *  the batch: 70 ms if thousands of customers have one. */
function updateLeases(kind: 'user' | 'token'): string {
  return `UPDATE leases SET units = leases.units - spent.part FROM ${rows(`${kind}_leases`, spentColumns)} AS spent
WHERE leases.rowid = (SELECT own.rowid FROM leases AS own
WHERE own.node_id = NEW.node_id AND own.kind = '${kind}' AND own.subject_id = spent.id)`
}

/** Writes a group commit with one prepared statement: an insert into a view of the connection, whose trigger writes
 *  everything. SQLite has no procedures, and each further statement is a way to the driver's thread and back. */
const writeBatch = [
  `UPDATE users SET quota = quota - spent.units, leased = leased - spent.part,
used_quota = used_quota + spent.units, request_count = request_count + spent.calls
FROM ${rows('spent_by_user', spentColumns)} AS spent WHERE users.id = spent.id`,
  // A token without limit keeps its remaining quota.
  `UPDATE tokens SET used_quota = used_quota + spent.units, leased = leased - spent.part, accessed_time = NEW.at_seconds,
remain_quota = CASE WHEN unlimited_quota THEN remain_quota ELSE remain_quota - spent.units END,
status = CASE WHEN status = ${tokenStatus.enabled} AND NOT unlimited_quota AND remain_quota - spent.units <= 0 THEN ${tokenStatus.exhausted} ELSE status END
FROM ${rows('spent_by_token', spentColumns)} AS spent WHERE tokens.id = spent.id`,
  `UPDATE channels SET used_quota = used_quota + spent.units
FROM ${rows('spent_by_channel', spentColumns)} AS spent WHERE channels.id = spent.id`,
  updateLeases('user'),
  updateLeases('token'),
  // SQLite must not swap the join here, because entries are written in their order. It runs after the update of users:
  // the balance after an entry is the new balance plus what later entries of the batch took.
  `INSERT INTO ledger_entries (user_id, token_id, kind, ref, amount, balance, created_at)
SELECT entry.user_id, entry.token_id, 'consume', entry.ref, -entry.units, users.quota + entry.later, entry.created_at
FROM ${rows('entries', entryColumns)} AS entry CROSS JOIN users ON users.id = entry.user_id`,
  `INSERT INTO logs (${logNames.join(', ')}) SELECT ${logValues.join(', ')}
FROM ${rows('logs', logColumns)} AS log`,
  `INSERT OR IGNORE INTO log_models (name) SELECT value FROM json_each(NEW.models)`,
]

export const sqliteBatchSession = [
  // A connection that was opened before the migrations reads the schema again with this statement; inside the trigger
  // it would not.
  { sql: 'SELECT 1 FROM users WHERE FALSE' },
  {
    sql: `CREATE TEMP VIEW IF NOT EXISTS ledger_batch AS SELECT ${parts.map((part) => `NULL AS ${part}`).join(', ')}`,
  },
  {
    sql: `CREATE TEMP TRIGGER IF NOT EXISTS ledger_batch_write INSTEAD OF INSERT ON ledger_batch BEGIN
${writeBatch.join(';\n')};
END`,
  },
]

const sql = `INSERT INTO ledger_batch VALUES (${parts.map(() => '?').join(', ')})`

export function sqliteBatchCall(content: BatchContent, nodeId: string): BatchCall {
  return {
    sql,
    values: [
      arrays(content.spentByUser, spentColumns),
      arrays(content.spentByToken, spentColumns),
      arrays(content.spentByChannel, spentColumns),
      arrays(content.userLeases, spentColumns),
      arrays(content.tokenLeases, spentColumns),
      arrays(content.entries, entryColumns),
      arrays(content.logs, logColumns),
      storableJson(content.models),
      content.atSeconds,
      nodeId,
    ],
  }
}

function arrays<Name extends string>(
  content: readonly { readonly [Column in Name]?: unknown }[],
  columns: Readonly<Record<Name, string>>,
): string {
  if (content.length === 0) return '[]'
  const names = Object.keys(columns) as Name[]
  return storableJson(content.map((row) => names.map((name) => row[name] ?? null)))
}
