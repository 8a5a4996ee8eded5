import { tokenStatus } from '../../contract/constants.ts'
import type { BatchCall } from '../../data/database.ts'
import { storableJson } from '../../data/named-values.ts'
import { serverNow } from '../../data/postgres/server-now-sql.ts'
import { type Columns, entryColumns, logColumns, quoted } from './batch-columns.ts'
import type { BatchContent, Spent } from './ledger-batch.ts'

const spenders = ['user', 'token', 'channel'] as const
type Spender = (typeof spenders)[number]

/** What a batch spends of each row of a table, as lists in the same order. */
const spentLists = { id: 'ids', units: 'units', part: 'parts', calls: 'calls' } as const
const spentFields = Object.keys(spentLists) as (keyof typeof spentLists)[]

const texts = {
  writing_node: 'text',
  batch_sequence: 'bigint',
  at_seconds: 'bigint',
  entries: 'json',
  log_rows: 'json',
  models: 'json',
} as const

const parameters = [
  ...Object.entries(texts).map(([name, type]) => `${name} ${type}`),
  ...spenders.flatMap((spender) =>
    Object.values(spentLists).map((list) => `${spender}_${list} bigint[]`),
  ),
]

function rows(part: keyof typeof texts, name: string, columns: Columns): string {
  const types = Object.entries(columns).map(([column, type]) => `"${column}" ${type}`)
  return `json_to_recordset(${part}) AS ${name} (${types.join(', ')})`
}

/** In the order of ids, so that batches of two nodes wait for each other instead of deadlocking. A single row is locked by its change: so each table
 *  is locked right before it is changed, never before a balance that others lock first. */
function lock(spender: Spender): string {
  return `IF cardinality(${spender}_ids) > 1 THEN
  PERFORM 1 FROM ${spender}s WHERE id = ANY (${spender}_ids) ORDER BY id FOR UPDATE;
END IF`
}

/** The rows of a table that a batch changes, each with what is spent of it. PostgreSQL does not know how few rows a
 *  batch has: if they were only joined by their ids, each commit would read all users and all tokens. Rows in a list of
 *  ids are looked up. */
function fromSpent(spender: Spender): string {
  const lists = Object.values(spentLists).map((list) => `${spender}_${list}`)
  return `FROM unnest(${lists.join(', ')}) AS spent (${spentFields.join(', ')})
WHERE ${spender}s.id = spent.id AND ${spender}s.id = ANY (${spender}_ids)`
}

/** One statement for each row. However they are joined, PostgreSQL may read all leases of the node, because it cannot
 *  estimate their number. */
function updateLeases(kind: 'user' | 'token'): string {
  return `FOR place IN 1 .. cardinality(${kind}_ids) LOOP
  IF ${kind}_parts[place] <> 0 THEN
    UPDATE leases SET units = leases.units - ${kind}_parts[place]
    WHERE leases.node_id = writing_node AND leases.kind = '${kind}' AND leases.subject_id = ${kind}_ids[place];
  END IF;
END LOOP`
}

const logNames = quoted(logColumns)
const logValues = logNames.map((name) =>
  name === '"username"'
    ? `COALESCE(log.username, (SELECT users.username FROM users WHERE users.id = log.user_id), '')`
    : `log.${name}`,
)

/** The batch fails with a division by zero if this node was taken for dead. It also stores its number, so that a batch
 *  whose answer was lost is not written twice. */
const guard = [
  `INSERT INTO leases (node_id, kind, subject_id, units) VALUES (writing_node, 'batch', batch_sequence, ${serverNow})`,
  'PERFORM 1 / COUNT(*) FROM (SELECT 1 FROM nodes WHERE nodes.id = writing_node FOR SHARE) AS living',
  `DELETE FROM leases WHERE leases.node_id = writing_node AND leases.kind = 'batch' AND leases.subject_id < batch_sequence`,
]

const writeBatch = [
  ...guard,
  lock('user'),
  `UPDATE users SET quota = quota - spent.units, leased = leased - spent.part,
used_quota = used_quota + spent.units, request_count = request_count + spent.calls
${fromSpent('user')}`,
  lock('token'),
  // A token without limit keeps its remaining quota.
  `UPDATE tokens SET used_quota = used_quota + spent.units, leased = leased - spent.part, accessed_time = at_seconds,
remain_quota = CASE WHEN unlimited_quota THEN remain_quota ELSE remain_quota - spent.units END,
status = CASE WHEN status = ${tokenStatus.enabled} AND NOT unlimited_quota AND remain_quota - spent.units <= 0 THEN ${tokenStatus.exhausted} ELSE status END
${fromSpent('token')}`,
  lock('channel'),
  `UPDATE channels SET used_quota = used_quota + spent.units
${fromSpent('channel')}`,
  updateLeases('user'),
  updateLeases('token'),
  // Runs after the update of users: the balance after an entry is the new balance plus what later entries of the batch
  // took.
  `INSERT INTO ledger_entries (user_id, token_id, kind, ref, amount, balance, created_at)
SELECT entry.user_id, entry.token_id, 'consume', entry.ref, -entry.units, users.quota + entry.later, entry.created_at
FROM ${rows('entries', 'entry', { ...entryColumns, place: 'bigint' })}
JOIN users ON users.id = entry.user_id AND users.id = ANY (user_ids) ORDER BY entry.place`,
  `INSERT INTO logs (${logNames.join(', ')}) SELECT ${logValues.join(', ')} FROM ${rows('log_rows', 'log', logColumns)}`,
  // In the same order everywhere, so that two nodes with the same new names wait for each other instead of deadlocking.
  `INSERT INTO log_models (name) SELECT model.name FROM json_array_elements_text(models) AS model (name)
ORDER BY model.name ON CONFLICT DO NOTHING`,
]

/** Writes a group commit with one call of a function of the session, whose statements are planned once. Otherwise
 *  PostgreSQL would plan each statement with a list anew, which takes longer than running it. */
export const postgresBatchSession = [
  {
    sql: `CREATE OR REPLACE FUNCTION pg_temp.write_ledger_batch(${parameters.join(', ')}) RETURNS void
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $batch$
BEGIN
${writeBatch.join(';\n')};
END $batch$`,
  },
]

const places = parameters.map((_, place) => `$${place + 1}`)
const sql = `SELECT pg_temp.write_ledger_batch(${places.join(', ')})`

export function postgresBatchCall(
  content: BatchContent,
  node: { id: string; sequence: number },
): BatchCall {
  return {
    sql,
    values: [
      node.id,
      node.sequence,
      content.atSeconds,
      storableJson(content.entries.map((entry, place) => ({ ...entry, place }))),
      storableJson(content.logs),
      storableJson(content.models),
      ...[content.spentByUser, content.spentByToken, content.spentByChannel].flatMap(listsOf),
    ],
  }
}

/** As PostgreSQL writes arrays. */
function listsOf(spent: readonly Spent[]): string[] {
  return spentFields.map((field) => `{${spent.map((row) => row[field]).join(',')}}`)
}
