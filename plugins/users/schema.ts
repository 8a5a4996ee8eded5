import { Type, type Static } from '@sinclair/typebox'
import type { UserRecord } from '#core'

/** One account as `/api/user/` sends it to admins. */
export type User = UserRecord

const id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })

const oneOf = <const T extends string>(...names: readonly T[]) =>
  Type.Optional(Type.Union(names.map((name) => Type.Literal(name))))

/** The largest change of a balance in one call, in units. It is above any real amount and small enough to be exact. */
const MOST_UNITS = 1_000_000_000_000_000

export const listQuery = Type.Object({
  p: Type.Optional(Type.String()),
  page_size: Type.Optional(Type.String()),
  keyword: Type.Optional(Type.String({ maxLength: 256 })),
  group: Type.Optional(Type.String({ maxLength: 64 })),
  role: oneOf('1', '10', '100'),
  status: oneOf('1', '2', '3', 'deleted'),
  sort: oneOf('id', 'quota', 'used_quota', 'request_count'),
  order: oneOf('asc', 'desc'),
})
export type ListQuery = Static<typeof listQuery>

export const userInPath = Type.Object({ id })

export const manageBody = Type.Object({
  id,
  action: Type.String({ maxLength: 32 }),
  /** For `change_quota`: units to add, negative to take away. */
  value: Type.Optional(Type.Integer({ minimum: -MOST_UNITS, maximum: MOST_UNITS })),
})
export type ManageBody = Static<typeof manageBody>
