import { Type, type Static } from '@sinclair/typebox'
import type { UserRecord } from '#core'

/** One account as `/api/user/` sends it to admins. */
export type User = UserRecord

const id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })

export const listQuery = Type.Object({
  p: Type.Optional(Type.String()),
  page_size: Type.Optional(Type.String()),
  keyword: Type.Optional(Type.String({ maxLength: 256 })),
  group: Type.Optional(Type.String({ maxLength: 64 })),
})
export type ListQuery = Static<typeof listQuery>

export const userInPath = Type.Object({ id })
export type UserInPath = Static<typeof userInPath>

export const manageBody = Type.Object({ id, action: Type.String({ maxLength: 32 }) })
export type ManageBody = Static<typeof manageBody>
