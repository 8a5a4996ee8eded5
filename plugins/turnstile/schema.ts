import { Type, type Static } from '@sinclair/typebox'

export const proofBody = Type.Object({
  /** What the widget gave for the site key that is to be proved. */
  token: Type.String({ minLength: 1, maxLength: 2048 }),
  /** Left out: the one that is stored. */
  secret: Type.Optional(Type.String({ maxLength: 200 })),
})
export type ProofBody = Static<typeof proofBody>
