import { Type, type Static } from '@sinclair/typebox'
import type { UserRecord } from '#core'

/** One account as `/api/user/` sends it to admins. */
export type User = UserRecord

const id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })

const oneOf = <const T extends string>(names: readonly T[], about: { description?: string } = {}) =>
  Type.Optional(
    Type.Union(
      names.map((name) => Type.Literal(name)),
      about,
    ),
  )

/** The largest change of a balance in one call, in units. It is above any real amount and small enough to be exact. */
const MOST_UNITS = 1_000_000_000_000_000

export const listQuery = Type.Object({
  p: Type.Optional(Type.String({ description: 'Page, from 1.' })),
  page_size: Type.Optional(Type.String({ description: 'At most 100; 10 if it is missing.' })),
  keyword: Type.Optional(
    Type.String({
      maxLength: 256,
      description: 'Part of username, display name or e-mail address, or the id.',
    }),
  ),
  group: Type.Optional(Type.String({ maxLength: 64 })),
  role: oneOf(['1', '10', '100'], { description: '1 user, 10 admin, 100 super admin.' }),
  status: oneOf(['1', '2', '3', 'deleted'], {
    description: '1 active, 2 banned, 3 locked; deleted: deregistered.',
  }),
  sort: oneOf(['id', 'quota', 'used_quota', 'request_count']),
  order: oneOf(['asc', 'desc']),
})
export type ListQuery = Static<typeof listQuery>

export const userInPath = Type.Object({ id })

export const manageBody = Type.Object({
  id,
  action: Type.String({
    maxLength: 32,
    description: 'enable, disable, delete (deregister), promote, demote or change_quota.',
  }),
  value: Type.Optional(
    Type.Integer({
      minimum: -MOST_UNITS,
      maximum: MOST_UNITS,
      description: 'For change_quota: quota units to add, negative to take away.',
    }),
  ),
})
export type ManageBody = Static<typeof manageBody>
