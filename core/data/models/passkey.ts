// Table `passkeys`, stated once: keys of WebAuthn, several for each user.
import { Type, type Static } from '@sinclair/typebox'
import { defineModel } from './define-model.ts'

const passkeyRow = Type.Object({
  id: Type.String({
    description: 'Ours; the id of the credential may be too long for an address.',
  }),
  user_id: Type.Integer(),
  credential_id: Type.String({ description: 'Base64url, as the authenticator gave it; unique.' }),
  public_key: Type.String({ description: 'COSE key, base64url.' }),
  counter: Type.Integer({ description: 'Of signatures; 0 of authenticators that do not count.' }),
  rp_id: Type.String({ description: 'The domain that it was made for.' }),
  transports: Type.String({ description: 'JSON list.' }),
  name: Type.String(),
  is_backed_up: Type.Integer({ description: '1: kept by a password manager, on several devices.' }),
  created_at: Type.Integer({ description: 'Unix seconds.' }),
  last_used_at: Type.Integer({ default: 0, description: 'Unix seconds; 0: never.' }),
})
export type PasskeyRow = Static<typeof passkeyRow>

export const passkeys = defineModel('passkeys', passkeyRow, ['id'])

/** What its owner sees of a passkey. */
export interface OwnPasskey {
  id: string
  name: string
  is_backed_up: boolean
  created_at: number
  last_used_at: number
}

export function toOwnPasskey(row: PasskeyRow): OwnPasskey {
  const { id, name, is_backed_up: isBackedUp, created_at, last_used_at } = row
  return { id, name, is_backed_up: isBackedUp === 1, created_at, last_used_at }
}
