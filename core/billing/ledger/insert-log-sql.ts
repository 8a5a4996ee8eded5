import type { LogRow } from '../../contract/money-services.ts'
import type { Statement } from '../../data/named-values.ts'
import { logColumns, quoted } from './batch-columns.ts'
import { wholeRow } from './ledger-batch.ts'

const values = Object.keys(logColumns).map((name) =>
  name === 'username'
    ? `COALESCE(:username, (SELECT username FROM users WHERE id = :user_id), '')`
    : `:${name}`,
)
const sql = `INSERT INTO logs (${quoted(logColumns).join(', ')}) VALUES (${values.join(', ')})`

/** Writes one row of the usage log inside a transaction. Rows of calls are written by the group commit instead. */
export function insertLog(row: Partial<LogRow>): Statement {
  return { sql, values: { username: null, ...wholeRow(row) } }
}
