import { tokenStatus } from '../../contract/constants.ts'
import type { BatchCall } from '../../data/database.ts'
import { storableJson } from '../../data/named-values.ts'
import { type Columns, entryColumns, logColumns, quoted, spentColumns } from './batch-columns.ts'
import type { BatchContent } from './ledger-batch.ts'

const parameters = {
  writing_node: 'text',
  batch_sequence: 'bigint',
  now_seconds: 'bigint',
  at_seconds: 'bigint',
  spent_by_user: 'json',
  spent_by_token: 'json',
  spent_by_channel: 'json',
  user_leases: 'json',
  token_leases: 'json',
  entries: 'json',
  log_rows: 'json',
  models: 'json',
} as const

function rows(part: keyof typeof parameters, name: string, columns: Columns): string {
  const types = Object.entries(columns).map(([column, type]) => `"${column}" ${type}`)
  return `json_to_recordset(${part}) AS ${name} (${types.join(', ')})`
}

/** In the order of ids, so that nodes' batches wait for each other instead of deadlocking. */
function lock(table: 'users' | 'tokens' | 'channels', part: keyof typeof parameters): string {
  return `IF json_array_length(${part}) > 1 THEN
  PERFORM 1 FROM ${table} WHERE id = ANY (ARRAY(SELECT spent.id FROM ${rows(part, 'spent', spentColumns)})) ORDER BY id FOR UPDATE;
END IF`
}

function updateLeases(kind: 'user' | 'token'): string {
  return `UPDATE leases SET units = leases.units - spent.part FROM ${rows(`${kind}_leases`, 'spent', spentColumns)}
WHERE leases.node_id = writing_node AND leases.kind = '${kind}' AND leases.subject_id = spent.id`
}

const logNames = quoted(logColumns)
const logValues = logNames.map((name) =>
  name === '"username"'
    ? `COALESCE(log.username, (SELECT users.username FROM users WHERE users.id = log.user_id), '')`
    : `log.${name}`,
)

/**
 * The batch fails with a division by zero when this node was taken for dead, and it leaves its number behind, so that a
 * batch whose answer was lost is not written twice.
 */
const guard = [
  `INSERT INTO leases (node_id, kind, subject_id, units) VALUES (writing_node, 'batch', batch_sequence, now_seconds)`,
  'PERFORM 1 / COUNT(*) FROM (SELECT 1 FROM nodes WHERE nodes.id = writing_node FOR SHARE) AS living',
  `DELETE FROM leases WHERE leases.node_id = writing_node AND leases.kind = 'batch' AND leases.subject_id < batch_sequence`,
]

const writeBatch = [
  ...guard,
  lock('users', 'spent_by_user'),
  lock('tokens', 'spent_by_token'),
  lock('channels', 'spent_by_channel'),
  `UPDATE users SET quota = quota - spent.units, leased = leased - spent.part,
used_quota = used_quota + spent.units, request_count = request_count + spent.calls
FROM ${rows('spent_by_user', 'spent', spentColumns)} WHERE users.id = spent.id`,
  // A token without limit keeps its remainder.
  `UPDATE tokens SET used_quota = used_quota + spent.units, leased = leased - spent.part, accessed_time = at_seconds,
remain_quota = CASE WHEN unlimited_quota THEN remain_quota ELSE remain_quota - spent.units END,
status = CASE WHEN status = ${tokenStatus.enabled} AND NOT unlimited_quota AND remain_quota - spent.units <= 0 THEN ${tokenStatus.exhausted} ELSE status END
FROM ${rows('spent_by_token', 'spent', spentColumns)} WHERE tokens.id = spent.id`,
  `UPDATE channels SET used_quota = used_quota + spent.units
FROM ${rows('spent_by_channel', 'spent', spentColumns)} WHERE channels.id = spent.id`,
  updateLeases('user'),
  updateLeases('token'),
  // After the users' update: the balance after an entry is the new balance and what later entries of the batch took.
  `INSERT INTO ledger_entries (user_id, token_id, kind, ref, amount, balance, created_at)
SELECT entry.user_id, entry.token_id, 'consume', entry.ref, -entry.units, users.quota + entry.later, entry.created_at
FROM ${rows('entries', 'entry', { ...entryColumns, place: 'bigint' })} JOIN users ON users.id = entry.user_id ORDER BY entry.place`,
  `INSERT INTO logs (${logNames.join(', ')}) SELECT ${logValues.join(', ')} FROM ${rows('log_rows', 'log', logColumns)}`,
  // In one order, so that two nodes with the same new names wait for each other instead of deadlocking.
  `INSERT INTO log_models (name) SELECT model.name FROM json_array_elements_text(models) AS model (name)
ORDER BY model.name ON CONFLICT DO NOTHING`,
]

const signature = Object.entries(parameters).map(([name, type]) => `${name} ${type}`)

/** A group commit as one call: a function of the session's own, whose statements are planned once. */
export const postgresBatchSession = [
  {
    sql: `CREATE OR REPLACE FUNCTION pg_temp.write_ledger_batch(${signature.join(', ')}) RETURNS void
LANGUAGE plpgsql AS $batch$
BEGIN
${writeBatch.join(';\n')};
END $batch$`,
  },
]

const places = Object.keys(parameters).map((_, place) => `$${place + 1}`)
const sql = `SELECT pg_temp.write_ledger_batch(${places.join(', ')})`

export function postgresBatchCall(
  content: BatchContent,
  node: { id: string; sequence: number; nowSeconds: number },
): BatchCall {
  return {
    sql,
    values: [
      node.id,
      node.sequence,
      node.nowSeconds,
      content.atSeconds,
      storableJson(content.spentByUser),
      storableJson(content.spentByToken),
      storableJson(content.spentByChannel),
      storableJson(content.userLeases),
      storableJson(content.tokenLeases),
      storableJson(content.entries.map((entry, place) => ({ ...entry, place }))),
      storableJson(content.logs),
      storableJson(content.models),
    ],
  }
}
