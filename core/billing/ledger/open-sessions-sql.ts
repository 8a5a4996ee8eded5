// Realtime sessions are charged answer by answer but have one log row, which is written at their end. Until then the
// row is kept here and committed with each charge, so that another node can write it if the process dies.
import type { Transaction } from 'sequelize'
import type { LogRow } from '../../contract/money-services.ts'
import type { DatabaseService } from '../../contract/services.ts'
import type { Statement } from '../../data/named-values.ts'
import { insertLog } from './insert-log-sql.ts'

/** Part of the commit of a charge: stores the session's log row as it would be if it ended now. */
export function keepSession(nodeId: string, row: LogRow): Statement {
  return {
    sql: `INSERT INTO open_sessions (request_id, node_id, log) VALUES (:requestId, :nodeId, :log)
      ON CONFLICT (request_id) DO UPDATE SET node_id = excluded.node_id, log = excluded.log`,
    values: { requestId: row.request_id, nodeId, log: JSON.stringify(row) },
  }
}

/** Part of the commit of the session's log row. */
export function forgetSession(requestId: string): Statement {
  return { sql: 'DELETE FROM open_sessions WHERE request_id = :requestId', values: { requestId } }
}

/** Writes the rows that a node has left. The same transaction returns its leases, so this happens only once.
 *  @returns the rows */
export async function writeSessionsOf(
  database: DatabaseService,
  nodeId: string,
  transaction: Transaction,
): Promise<LogRow[]> {
  const left = await database.select<{ log: string }>(
    'DELETE FROM open_sessions WHERE node_id = :nodeId RETURNING log',
    { nodeId },
    transaction,
  )
  const rows = left.map(({ log }) => JSON.parse(log) as LogRow)
  for (const row of rows) {
    const { sql, values } = insertLog(row)
    await database.run(sql, values, transaction)
    await database.run(
      'INSERT INTO log_models (name) VALUES (:name) ON CONFLICT DO NOTHING',
      { name: row.model_name },
      transaction,
    )
  }
  return rows
}
