import { Type } from '@sinclair/typebox'

export const proofBody = Type.Object({
  /** The token of the widget for the site key to be proved. */
  token: Type.String({ minLength: 1, maxLength: 2048 }),
  /** Left out: the stored secret. */
  secret: Type.Optional(Type.String({ maxLength: 200 })),
})
