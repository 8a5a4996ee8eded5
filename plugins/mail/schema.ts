import { Type, type Static } from '@sinclair/typebox'

export const addressQuery = Type.Object({ email: Type.Optional(Type.String({ maxLength: 254 })) })
export type AddressQuery = Static<typeof addressQuery>

const maybeText = (maxLength: number) =>
  Type.Optional(Type.Union([Type.String({ maxLength }), Type.Null()]))

export const resetBody = Type.Object({ email: maybeText(254), token: maybeText(128) })
export type ResetBody = Static<typeof resetBody>
