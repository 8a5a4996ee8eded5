import { Type, type Static } from '@sinclair/typebox'
import { defineModel } from './define-model.ts'

/** A row of `stored_responses`: which channel and key made a response. Nothing of it goes over the wire. */
export const storedResponseRow = Type.Object({
  id: Type.String({ description: 'As the provider drew it.' }),
  user_id: Type.Integer(),
  channel_id: Type.Integer(),
  key_hash: Type.String({
    description: 'HMAC of the key that made it; a channel may have several, and change them.',
  }),
  model: Type.String({ description: 'The client-visible name.' }),
  created_at: Type.Integer({ description: 'Unix seconds.' }),
})
export type StoredResponseRow = Static<typeof storedResponseRow>

export const storedResponses = defineModel('stored_responses', storedResponseRow, ['id', 'user_id'])
