import { Type, type Static } from '@sinclair/typebox'

const maybeText = Type.Optional(Type.Union([Type.String(), Type.Null()]))

export const signInBody = Type.Object({ username: maybeText, password: maybeText })
export type SignInBody = Static<typeof signInBody>

export const emailQuery = Type.Object({
  email: Type.Optional(Type.String({ maxLength: 254 })),
  code: Type.Optional(Type.String({ maxLength: 64 })),
})

export const registerBody = Type.Object({
  username: maybeText,
  password: maybeText,
  password2: maybeText,
  email: maybeText,
  verification_code: maybeText,
  aff_code: maybeText,
})
export type RegisterBody = Static<typeof registerBody>
