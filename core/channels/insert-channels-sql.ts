import type { Transaction } from 'sequelize'
import type { DatabaseService } from '../contract/services.ts'
import type { ChannelColumns } from '../data/models/channel.ts'
import { manyRowsFrom } from '../data/named-values.ts'

const keyColumns = { key: 'text', key_hash: 'text' } as const

/** Inserts one channel per key, otherwise equal, in one statement: thousands of inserts would delay calls, which on
 *  SQLite share the single writer.
 *  @returns the new ids, in the order of the keys */
export async function insertChannels(
  database: DatabaseService,
  columns: ChannelColumns,
  keys: readonly { key: string; key_hash: string }[],
  transaction: Transaction,
): Promise<number[]> {
  const { from, values } = manyRowsFrom(database.dialect, 'keys', keyColumns, keys)
  const names = Object.keys(columns)
  const rows = await database.select<{ id: number }>(
    `INSERT INTO channels ("key", key_hash, ${names.map((name) => `"${name}"`).join(', ')})
     SELECT keys."key", keys.key_hash, ${names.map((name) => `:${name}`).join(', ')} FROM ${from}
     RETURNING id`,
    { ...columns, ...values },
    transaction,
  )
  return rows.map(({ id }) => id).sort((left, right) => left - right)
}
