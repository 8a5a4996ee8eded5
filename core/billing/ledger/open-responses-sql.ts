// Responses in the background may outlive the process that requested them, and so must their charge. Each has a row
// from the moment when its id is known. The charge deletes that row in its own transaction, so that only one of two
// processes that follow a response charges it.
import type { Transaction } from 'sequelize'
import { tokenStatus } from '../../contract/constants.ts'
import type { LogRow } from '../../contract/money-services.ts'
import type { DatabaseService } from '../../contract/services.ts'
import type { Statement } from '../../data/named-values.ts'

export interface OnceCharge {
  requestId: string
  userId: number
  tokenId: number
  channelId: number
  units: number
  log?: LogRow | undefined
}

export interface OpenResponseRow {
  requestId: string
  nodeId: string
  /** JSON of the caller. */
  facts: string
}

export function keepResponse(row: OpenResponseRow): Statement {
  return {
    // The row of a second channel replaces that of the first, which has failed.
    sql: `INSERT INTO open_responses (request_id, node_id, facts) VALUES (:requestId, :nodeId, :facts)
      ON CONFLICT (request_id) DO UPDATE SET node_id = excluded.node_id, facts = excluded.facts`,
    values: { ...row },
  }
}

/** Deletes the row.
 *  @returns false if it was deleted before, by the charge or because nothing is charged */
export async function takeResponse(
  database: DatabaseService,
  requestId: string,
  transaction?: Transaction,
): Promise<boolean> {
  const sql = 'DELETE FROM open_responses WHERE request_id = :requestId RETURNING request_id'
  return (await database.select(sql, { requestId }, transaction)).length > 0
}

/** Takes over some rows that dead nodes have left.
 *  @returns the rows, which now belong to this node */
export async function claimResponses(
  database: DatabaseService,
  nodeId: string,
): Promise<OpenResponseRow[]> {
  const dead = 'node_id NOT IN (SELECT id FROM nodes)'
  return database.select<OpenResponseRow>(
    `UPDATE open_responses SET node_id = :nodeId
     WHERE ${dead} AND request_id IN (SELECT request_id FROM open_responses WHERE ${dead} ORDER BY request_id LIMIT 100)
     RETURNING request_id AS "requestId", node_id AS "nodeId", facts`,
    { nodeId },
  )
}

/** Enters one charge as a group commit would. The leases of user and token must have been returned before, so that the
 *  balance alone pays. */
export async function enterCharge(
  database: DatabaseService,
  { requestId, userId, tokenId, channelId, units, log }: OnceCharge,
  transaction: Transaction,
): Promise<void> {
  const run = (sql: string, values: Record<string, unknown>) =>
    database.run(sql, values, transaction)
  const now = Math.floor(Date.now() / 1000)
  await run(
    `UPDATE users SET quota = quota - :units, used_quota = used_quota + :units, request_count = request_count + 1
     WHERE id = :userId`,
    { units, userId },
  )
  await run(
    `UPDATE tokens SET used_quota = used_quota + :units, accessed_time = :now,
     remain_quota = CASE WHEN unlimited_quota THEN remain_quota ELSE remain_quota - :units END,
     status = CASE WHEN status = ${tokenStatus.enabled} AND NOT unlimited_quota AND remain_quota - :units <= 0 THEN ${tokenStatus.exhausted} ELSE status END
     WHERE id = :tokenId`,
    { units, tokenId, now },
  )
  await run('UPDATE channels SET used_quota = used_quota + :units WHERE id = :channelId', {
    units,
    channelId,
  })
  if (units > 0)
    await run(
      `INSERT INTO ledger_entries (user_id, token_id, kind, ref, amount, balance, created_at)
       SELECT id, :tokenId, 'consume', :requestId, -(:units), quota, :now FROM users WHERE id = :userId`,
      { tokenId, requestId, units, now, userId },
    )
  if (log)
    await run('INSERT INTO log_models (name) VALUES (:name) ON CONFLICT DO NOTHING', {
      name: log.model_name,
    })
}
