import { Type, type Static } from '@sinclair/typebox'
import type { TokenRecord } from '#core'

/** One token as `/api/token/` sends it to its owner; `key` comes without its prefix. */
export type Token = Omit<TokenRecord, 'user_id' | 'DeletedAt'>

const id = () => Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
const queryText = () => Type.Optional(Type.String({ maxLength: 1024 }))

export const tokenInPath = Type.Object({ id: id() })
export type TokenInPath = Static<typeof tokenInPath>

export const listQuery = Type.Object({ p: queryText(), size: queryText() })
export type ListQuery = Static<typeof listQuery>

export const searchQuery = Type.Object({
  keyword: queryText(),
  token: queryText(),
  status: Type.Optional(Type.Union(['1', '2', '3', '4'].map((status) => Type.Literal(status)))),
})
export type SearchQuery = Static<typeof searchQuery>

export const editQuery = Type.Object({ status_only: queryText() })
export type EditQuery = Static<typeof editQuery>
