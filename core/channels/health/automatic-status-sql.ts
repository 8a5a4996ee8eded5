import type { Transaction } from 'sequelize'
import type { DatabaseService } from '../../contract/services.ts'
import type { ChannelRow } from '../../data/models/channel.ts'
import { manyRowsFrom } from '../../data/named-values.ts'

const columns = { id: 'bigint', status: 'bigint', other_info: 'text' } as const

/** One statement for all changes: when a provider fails, its channels are disabled by the hundred. */
export async function writeStatuses(
  database: DatabaseService,
  rows: readonly Pick<ChannelRow, keyof typeof columns>[],
  transaction: Transaction,
): Promise<void> {
  if (rows.length === 0) return
  const { from, values } = manyRowsFrom(database.dialect, 'change', columns, rows)
  await database.run(
    `UPDATE channels SET status = change.status, other_info = change.other_info
    FROM ${from} WHERE channels.id = change.id`,
    values,
    transaction,
  )
}
