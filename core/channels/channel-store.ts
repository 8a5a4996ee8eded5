// Statements on table `channels`. Column names come from the code, never from a request.
import type { Transaction } from 'sequelize'
import type { DatabaseService } from '../contract/services.ts'
import { selectChannels, type ChannelRow } from './channel-row.ts'

export type ChannelColumns = Partial<ChannelRow> & { key_hash?: string }

/** The rows in the order of their ids, locked until the end of the transaction. */
export async function lockChannels(
  database: DatabaseService,
  condition: string,
  values: Record<string, unknown>,
  transaction: Transaction,
): Promise<ChannelRow[]> {
  // SQLite's transactions are IMMEDIATE: nobody else writes until they end.
  const lock = database.dialect === 'postgres' ? ' FOR UPDATE' : ''
  return database.select<ChannelRow>(
    `${selectChannels} WHERE ${condition} ORDER BY id${lock}`,
    values,
    transaction,
  )
}

export async function insertChannel(
  database: DatabaseService,
  columns: ChannelColumns,
  transaction: Transaction,
): Promise<number> {
  const names = Object.keys(columns)
  const [row] = await database.select<{ id: number }>(
    `INSERT INTO channels (${names.map((name) => `"${name}"`).join(', ')})
     VALUES (${names.map((name) => `:${name}`).join(', ')}) RETURNING id`,
    columns,
    transaction,
  )
  if (row === undefined) throw new Error('the new channel has no id')
  return row.id
}

export async function updateChannels(
  database: DatabaseService,
  ids: readonly number[],
  columns: ChannelColumns,
  transaction: Transaction,
): Promise<void> {
  const names = Object.keys(columns)
  if (names.length === 0 || ids.length === 0) return
  await database.run(
    `UPDATE channels SET ${names.map((name) => `"${name}" = :${name}`).join(', ')}
     WHERE id IN (:ids)`,
    { ...columns, ids },
    transaction,
  )
}
