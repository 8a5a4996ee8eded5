import { Type, type Static, type TSchema } from '@sinclair/typebox'
import type { ChannelRunKind, ChannelSort } from '#core'

export type { ChannelRecord, ChannelRun, RecentChannelHealth } from '#core'

const channelSorts: readonly ChannelSort[] = [
  'id',
  'used_quota',
  'response_time',
  'balance',
  'priority',
]

/** `null` counts as absent: forms send whole records with empty fields. */
const maybe = <T extends TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]))
const text = () => maybe(Type.String())
/** Number inputs may send text. */
const whole = () => maybe(Type.Union([Type.Integer(), Type.String({ pattern: '^-?\\d{1,15}$' })]))
const id = () => Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
const queryText = (about: { description?: string } = {}) =>
  Type.Optional(Type.String({ maxLength: 1024, ...about }))

export const channelInPath = Type.Object({ id: id() })

export const listQuery = Type.Object({
  p: queryText({ description: 'Page, from 0.' }),
  page_size: queryText({ description: 'At most 1000; 10 if it is missing.' }),
  id_sort: queryText({ description: '`true`: newest first; otherwise by priority.' }),
  tag_mode: queryText({ description: '`true`: pages of tags, each with all of its channels.' }),
  keyword: queryText({ description: 'Part of the name, a whole key, or the id.' }),
  group: queryText(),
  model: queryText(),
  status: Type.Optional(
    Type.Union([Type.Literal('1'), Type.Literal('2'), Type.Literal('3')], {
      description: '1 enabled, 2 disabled, 3 disabled automatically.',
    }),
  ),
  type: Type.Optional(
    Type.String({ pattern: '^[1-9]\\d{0,8}$', description: 'Number of a channel type.' }),
  ),
  tag: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
  sort: Type.Optional(Type.Union(channelSorts.map((name) => Type.Literal(name)))),
  order: Type.Optional(Type.Union([Type.Literal('asc'), Type.Literal('desc')])),
})
export type ListQuery = Static<typeof listQuery>

/** A search has no pages. */
export const channelSearchQuery = Type.Omit(listQuery, ['p', 'page_size'])

/** Ids of calls that delete are never coerced. */
export const idsBody = Type.Object({ ids: Type.Array(id(), { maxItems: 10_000 }) })

export const batchStatusBody = Type.Object({
  ids: Type.Array(id(), { maxItems: 10_000 }),
  status: Type.Union([Type.Literal(1), Type.Literal(2)], {
    description: '1 enabled, 2 disabled.',
  }),
})

/** Keys of one channel; `shown`: its other_info as the page had read it. */
export const refusedKeysBody = Type.Object({
  positions: Type.Array(Type.Integer({ minimum: 1, maximum: 1_000_000 }), {
    description: 'Places of the keys in the channel, from 1.',
    minItems: 1,
    maxItems: 5000,
  }),
  shown: Type.Optional(Type.String()),
})

const runKinds: readonly ChannelRunKind[] = ['test', 'balance']
export const runBody = Type.Object({
  kind: Type.Union(runKinds.map((kind) => Type.Literal(kind))),
})

export const batchTagBody = Type.Object({
  ids: Type.Array(id(), { maxItems: 10_000 }),
  tag: maybe(Type.String()),
})

export const tagBody = Type.Object({ tag: Type.String() })

export const tagEditBody = Type.Object({
  tag: Type.String(),
  new_tag: text(),
  model_mapping: text(),
  models: text(),
  groups: text(),
  priority: whole(),
  weight: whole(),
})

export const testQuery = Type.Object({ model: queryText() })

/** More than all adapters and channels offer together. */
const MOST_NAMES = 20_000

export const modelNamesBody = Type.Object({
  models: Type.Array(Type.String({ maxLength: 255 }), { maxItems: MOST_NAMES }),
})

export const fetchModelsBody = Type.Object({
  base_url: text(),
  type: Type.Integer(),
  key: text(),
  setting: text(),
})
