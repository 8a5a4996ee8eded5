// The fields that are read from a browser's answer (PublicKeyCredential.toJSON), with limits. Binary fields are
// base64url.
import { Type, type Static } from '@sinclair/typebox'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'

const bytes = (maxLength: number) =>
  Type.String({ minLength: 1, maxLength, pattern: '^[A-Za-z0-9_-]+$' })

/** Ids have at most 1023 bytes. */
const credential = { id: bytes(1364), rawId: bytes(1364), type: Type.Literal('public-key') }
const clientDataJSON = bytes(8192)

export const assertionBody = Type.Object({
  ...credential,
  response: Type.Object({
    clientDataJSON,
    authenticatorData: bytes(8192),
    signature: bytes(4096),
  }),
})
export type AssertionBody = Static<typeof assertionBody>

export const registrationBody = Type.Object({
  ...credential,
  /** Shown to its owner. */
  name: Type.Optional(Type.String({ maxLength: 256 })),
  response: Type.Object({
    clientDataJSON,
    attestationObject: bytes(16_384),
    transports: Type.Optional(Type.Array(Type.String({ maxLength: 32 }), { maxItems: 16 })),
  }),
})
export type RegistrationBody = Static<typeof registrationBody>

export const loginBeginBody = Type.Optional(
  Type.Union([
    Type.Object({
      second_factor: Type.Optional(
        Type.Boolean({ description: 'After a first factor; else the passkey is all.' }),
      ),
    }),
    Type.Null(),
  ]),
)
export type LoginBeginBody = Static<typeof loginBeginBody>

export const nameBody = Type.Object({ name: Type.String({ maxLength: 256 }) })
export type NameBody = Static<typeof nameBody>

export const passkeyInPath = Type.Object({ id: Type.String({ pattern: '^[0-9A-Za-z]{22}$' }) })
export type PasskeyInPath = Static<typeof passkeyInPath>

export function assertionOf({
  id,
  rawId,
  type,
  response,
}: AssertionBody): AuthenticationResponseJSON {
  return { id, rawId, type, response, clientExtensionResults: {} }
}

export function registrationOf(body: RegistrationBody): RegistrationResponseJSON {
  const { id, rawId, type, response } = body
  const { clientDataJSON: data, attestationObject, transports = [] } = response
  const answer = { clientDataJSON: data, attestationObject, transports }
  return { id, rawId, type, response: answer, clientExtensionResults: {} }
}
