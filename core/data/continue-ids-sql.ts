import type { Transaction } from 'sequelize'
import type { DatabaseService } from '../contract/services.ts'

/** Lets new rows have ids above those that were written with one. SQLite does so by itself. */
export async function continueIds(
  database: DatabaseService,
  table: 'users' | 'tokens' | 'channels',
  transaction: Transaction,
): Promise<void> {
  if (database.dialect === 'sqlite') return
  await database.select(
    `SELECT setval(pg_get_serial_sequence(:table, 'id'), (SELECT COALESCE(MAX(id), 0) + 1 FROM ${table}), false)`,
    { table },
    transaction,
  )
}
