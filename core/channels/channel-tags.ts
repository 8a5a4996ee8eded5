import type { JsonObject } from '../contract/json.ts'
import { channelStatus } from '../contract/constants.ts'
import type { DatabaseService } from '../contract/services.ts'
import { channelIdsMissing, channelTagMissing } from './channel-errors.ts'
import { readChannelFields, refuseTooManyRoutes } from './channel-input.ts'
import type { Changes } from '../contract/changes.ts'
import type { ChannelColumns } from '../data/models/channel.ts'
import {
  channelLists,
  type ListedChannel,
  lockChannelIds,
  updateChannels,
  type Wanted,
} from './channel-store.ts'

/** Changes all channels of the tag, including automatically disabled ones.
 *  @returns their ids */
export async function setTagStatus(
  database: DatabaseService,
  tag: string,
  status: number,
): Promise<number[]> {
  return changeWhere(database, { tag: tagOf(tag) }, { status, other_info: '' })
}

/** Switches these channels. What is kept of one that is in that status already, such as its refused keys, stays.
 *  @returns the ids of those that have changed */
export async function setStatusOf(
  database: DatabaseService,
  ids: readonly number[],
  status: number,
): Promise<number[]> {
  if (ids.length === 0) throw channelIdsMissing({}, { field: 'ids' })
  const others = Object.values(channelStatus).filter((other) => other !== status)
  return changeWhere(database, { id: ids, status: others }, { status, other_info: '' })
}

/** Edits all channels of a tag. Empty lists and texts mean unchanged; an empty `new_tag` dissolves the tag. */
export async function editTag(database: DatabaseService, input: JsonObject): Promise<number[]> {
  const tag = tagOf(input['tag'])
  const {
    priority,
    weight,
    tag: newTag,
    ...texts
  } = readChannelFields(
    {
      tag: input['new_tag'],
      models: input['models'],
      group: input['groups'],
      model_mapping: input['model_mapping'],
      priority: input['priority'],
      weight: input['weight'],
    },
    { tag: 'new_tag', group: 'groups' },
  )
  const changes: Changes<ChannelColumns> = { tag: newTag, priority, weight }
  if (texts.models) changes.models = texts.models
  if (texts.group) changes.group = texts.group
  if (texts.model_mapping) changes.model_mapping = texts.model_mapping
  const { models, group } = changes
  if (models === undefined && group === undefined) return changeWhere(database, { tag }, changes)
  return changeWhere(database, { tag }, changes, (row) =>
    refuseTooManyRoutes(
      { models: models ?? row.models, group: group ?? row.group },
      models === undefined ? 'groups' : 'models',
    ),
  )
}

/** Null and empty text remove the tag. */
export async function tagChannels(
  database: DatabaseService,
  ids: readonly number[],
  tag: string | null,
): Promise<number[]> {
  if (ids.length === 0) throw channelIdsMissing({}, { field: 'ids' })
  const changes = { tag: '', ...readChannelFields({ tag }) }
  return changeWhere(database, { id: ids }, changes)
}

async function changeWhere(
  database: DatabaseService,
  wanted: Wanted,
  changes: Changes<ChannelColumns>,
  check?: (row: ListedChannel) => void,
): Promise<number[]> {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined)
  const columns = Object.fromEntries(given) as ChannelColumns
  if (given.length === 0) return []
  return database.transaction(async (transaction) => {
    const ids = await lockChannelIds(database, wanted, transaction)
    if (check) for (const row of await channelLists(database, wanted, transaction)) check(row)
    await updateChannels(database, ids, columns, transaction)
    return ids
  })
}

function tagOf(value: unknown): string {
  const tag = typeof value === 'string' ? value.trim() : ''
  if (tag === '') throw channelTagMissing({}, { field: 'tag' })
  return tag
}
