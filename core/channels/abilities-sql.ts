import type { Transaction } from 'sequelize'
import type { DatabaseService } from '../contract/services.ts'
import { channelStatus } from '../contract/constants.ts'
import type { ChannelRow } from '../data/models/channel.ts'
import { splitList } from './comma-list.ts'

/** One row for each group × model of a channel; derived from table `channels`, always in the transaction that changes it. */
type AbilityValues = [
  group: string,
  model: string,
  channelId: number,
  enabled: boolean,
  priority: number,
  weight: number,
  tag: string,
]

export type AbilitySource = Pick<
  ChannelRow,
  'id' | 'status' | 'models' | 'group' | 'priority' | 'weight' | 'tag'
>

const rowsPerInsert = 500

export async function rebuildAbilities(
  database: DatabaseService,
  channels: readonly AbilitySource[],
  transaction: Transaction,
): Promise<void> {
  await removeAbilities(
    database,
    channels.map(({ id }) => id),
    transaction,
  )
  const rows = channels.flatMap(abilitiesOf)
  for (let start = 0; start < rows.length; start += rowsPerInsert) {
    await database.run(
      `INSERT INTO abilities ("group", model, channel_id, enabled, priority, weight, tag)
       VALUES :rows`,
      { rows: rows.slice(start, start + rowsPerInsert) },
      transaction,
    )
  }
}

export async function removeAbilities(
  database: DatabaseService,
  channelIds: readonly number[],
  transaction: Transaction,
): Promise<void> {
  if (channelIds.length === 0) return
  await database.run(
    'DELETE FROM abilities WHERE channel_id IN (:channelIds)',
    { channelIds },
    transaction,
  )
}

/** Abilities of channels that are gone. */
export async function removeOrphans(
  database: DatabaseService,
  transaction: Transaction,
): Promise<void> {
  const orphans = 'DELETE FROM abilities WHERE channel_id NOT IN (SELECT id FROM channels)'
  await database.run(orphans, {}, transaction)
}

/** Distinct models with an enabled channel, in all groups or in the named ones; sorted. */
export async function enabledModels(
  database: DatabaseService,
  groups?: readonly string[],
): Promise<string[]> {
  if (groups?.length === 0) return []
  const rows = await database.select<{ model: string }>(
    `SELECT DISTINCT model FROM abilities
     WHERE enabled ${groups === undefined ? '' : 'AND "group" IN (:groups)'} ORDER BY model`,
    groups === undefined ? {} : { groups },
  )
  return rows.map(({ model }) => model)
}

/** Each model with the groups that have an enabled channel for it. */
export async function groupsOfModels(database: DatabaseService): Promise<Map<string, string[]>> {
  const rows = await database.select<{ model: string; group: string }>(
    'SELECT DISTINCT model, "group" FROM abilities WHERE enabled ORDER BY model, "group"',
  )
  const groups = new Map<string, string[]>()
  for (const { model, group } of rows) groups.set(model, [...(groups.get(model) ?? []), group])
  return groups
}

function abilitiesOf(channel: AbilitySource): AbilityValues[] {
  const isEnabled = channel.status === channelStatus.enabled
  const models = splitList(channel.models)
  return splitList(channel.group).flatMap((group) =>
    models.map(
      (model): AbilityValues => [
        group,
        model,
        channel.id,
        isEnabled,
        channel.priority,
        channel.weight,
        channel.tag,
      ],
    ),
  )
}
