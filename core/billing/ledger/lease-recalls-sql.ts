import type { Transaction } from 'sequelize'
import type { DatabaseService } from '../../contract/services.ts'
import type { LeaseKind } from './lease-store-sql.ts'

export interface RecalledRow {
  kind: LeaseKind
  subject_id: number
  recalls: number
  user_id: number
}

/** Increases the recall counter in the rows of other nodes.
 *  @returns the number of rows */
export function markRecalled(
  database: DatabaseService,
  lease: { kind: LeaseKind; id: number; own: string },
  transaction: Transaction,
): Promise<number> {
  return database.run(
    `UPDATE leases SET recalls = recalls + 1
    WHERE kind = :kind AND subject_id = :id AND node_id <> :own`,
    lease,
    transaction,
  )
}

/** The recalls of this node's leases by other nodes, each with the owner of the lease. */
export function selectRecalled(database: DatabaseService, own: string): Promise<RecalledRow[]> {
  return database.select<RecalledRow>(
    `SELECT lease.kind, lease.subject_id, lease.recalls,
      CASE WHEN lease.kind = 'user' THEN lease.subject_id ELSE COALESCE(tokens.user_id, 0) END AS user_id
    FROM leases lease LEFT JOIN tokens ON lease.kind = 'token' AND tokens.id = lease.subject_id
    WHERE lease.node_id = :own AND lease.kind <> 'batch' AND lease.recalls > 0`,
    { own },
  )
}
