import { Type, type Static } from '@sinclair/typebox'
import type { TokenRecord, TokenSort } from '#core'

/** One token as `/api/token/` sends it to its owner; `key` comes without its prefix. */
export type Token = Omit<TokenRecord, 'user_id' | 'DeletedAt'>

const id = () => Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
const queryText = (description: string) =>
  Type.Optional(Type.String({ maxLength: 1024, description }))

export const tokenInPath = Type.Object({ id: id() })

const tokenSorts: readonly TokenSort[] = [
  'remain_quota',
  'used_quota',
  'created_time',
  'accessed_time',
]
const order = {
  sort: Type.Optional(Type.Union(tokenSorts.map((name) => Type.Literal(name)))),
  order: Type.Optional(Type.Union([Type.Literal('asc'), Type.Literal('desc')])),
}

export const listQuery = Type.Object({
  p: queryText('Page, from 0.'),
  size: queryText('Tokens of a page: at most 100; 10 if it is missing.'),
  ...order,
})
export type ListQuery = Static<typeof listQuery>

export const searchQuery = Type.Object({
  keyword: queryText('Part of the name.'),
  token: queryText('Part of the key.'),
  status: Type.Optional(
    Type.Union(
      ['1', '2', '3', '4'].map((status) => Type.Literal(status)),
      { description: '1 enabled, 2 disabled, 3 expired, 4 exhausted.' },
    ),
  ),
  ...order,
})

export const editQuery = Type.Object({
  status_only: queryText('If it is not empty, only `id` and `status` of the body count.'),
})
