// Reads and writes the table `channels` through its model.
import type { FindOptions, Transaction } from 'sequelize'
import type { DatabaseService } from '../contract/services.ts'
import {
  channelColumns,
  channelModel,
  type ChannelColumns,
  type ChannelRow,
} from '../data/models/channel.ts'
import { plainRows } from '../data/models/define-model.ts'

/** Conditions on columns; a list matches any of its numbers. */
export type Wanted = Readonly<Record<string, string | number | readonly number[]>>

export async function findChannel(
  database: DatabaseService,
  id: number,
): Promise<ChannelRow | undefined> {
  const row = await channelModel(database).findByPk(id, { attributes: channelColumns })
  return row?.get({ plain: true })
}

/** The rows sorted by id, locked until the end of the transaction. */
export async function lockChannels(
  database: DatabaseService,
  wanted: Wanted,
  transaction: Transaction,
): Promise<ChannelRow[]> {
  // SQLite's transactions are IMMEDIATE: nobody else can write until they end.
  const rows = await channelModel(database).findAll({
    where: { ...wanted },
    attributes: channelColumns,
    order: ['id'],
    lock: transaction.LOCK.UPDATE,
    transaction,
  })
  return plainRows(rows)
}

export type ListedChannel = Pick<ChannelRow, 'models' | 'group'>

/** What channels list, each pair of lists once: those of a tag mostly list the same. */
export async function channelLists(
  database: DatabaseService,
  wanted: Wanted,
  transaction: Transaction,
): Promise<ListedChannel[]> {
  return someColumns(database, ['models', 'group'], {
    where: { ...wanted },
    group: ['models', 'group'],
    transaction,
  })
}

/** Their ids alone: five thousand whole rows, with their keys, hold the event loop for longer than calls may wait. */
export async function lockChannelIds(
  database: DatabaseService,
  wanted: Wanted,
  transaction: Transaction,
): Promise<number[]> {
  const rows = await someColumns(database, ['id'], {
    where: { ...wanted },
    order: ['id'],
    lock: transaction.LOCK.UPDATE,
    transaction,
  })
  return rows.map(({ id }) => id)
}

/** Sequelize declares models, also where it returns plain rows. */
async function someColumns<Column extends keyof ChannelRow>(
  database: DatabaseService,
  attributes: Column[],
  options: FindOptions,
): Promise<Pick<ChannelRow, Column>[]> {
  const rows: unknown = await channelModel(database).findAll({ ...options, attributes, raw: true })
  return rows as Pick<ChannelRow, Column>[]
}

/** @returns the new id */
export async function insertChannel(
  database: DatabaseService,
  columns: ChannelColumns,
  transaction: Transaction,
): Promise<number> {
  const row = await channelModel(database).create(columns, { transaction })
  return row.get({ plain: true }).id
}

/** Without a transaction the write is a transaction of its own. */
export async function updateChannels(
  database: DatabaseService,
  ids: readonly number[],
  columns: ChannelColumns,
  transaction?: Transaction,
): Promise<void> {
  if (Object.keys(columns).length === 0 || ids.length === 0) return
  await channelModel(database).update(columns, {
    where: { id: [...ids] },
    transaction: transaction ?? null,
  })
}

/** @returns how many rows were deleted */
export async function deleteChannels(
  database: DatabaseService,
  ids: readonly number[],
  transaction: Transaction,
): Promise<number> {
  return channelModel(database).destroy({ where: { id: [...ids] }, transaction })
}
