import { Type, type Static } from '@sinclair/typebox'
import type { UserRecord } from '#core'

/** One account as `/api/user/` sends it to admins. */
export type User = UserRecord

const maybeText = Type.Optional(Type.Union([Type.String(), Type.Null()]))
const id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
/** Only compared with the caller's role, never written. */
const role = Type.Optional(Type.Union([Type.Integer(), Type.Null()]))

export const listQuery = Type.Object({
  p: Type.Optional(Type.String()),
  page_size: Type.Optional(Type.String()),
  keyword: Type.Optional(Type.String({ maxLength: 256 })),
  group: Type.Optional(Type.String({ maxLength: 64 })),
})
export type ListQuery = Static<typeof listQuery>

export const userInPath = Type.Object({ id })
export type UserInPath = Static<typeof userInPath>

export const newUserBody = Type.Object({
  username: maybeText,
  password: maybeText,
  display_name: maybeText,
  role,
})
export type NewUserBody = Static<typeof newUserBody>

export const editBody = Type.Object({
  id,
  username: maybeText,
  display_name: maybeText,
  password: maybeText,
  group: maybeText,
  /** Units, an absolute value; number inputs of older consoles send text. */
  quota: Type.Optional(
    Type.Union([
      Type.Integer({ maximum: Number.MAX_SAFE_INTEGER }),
      Type.String({ pattern: '^-?\\d{1,15}$' }),
      Type.Null(),
    ]),
  ),
  role,
})
export type EditBody = Static<typeof editBody>

export const manageBody = Type.Object({ id, action: Type.String({ maxLength: 32 }) })
export type ManageBody = Static<typeof manageBody>
