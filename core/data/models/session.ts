import { Type, type Static } from '@sinclair/typebox'
import { defineModel } from './define-model.ts'

/** A row of `sessions`. The secret of the cookie stands nowhere: rows are found by its HMAC. Nothing of it goes over the wire. */
const sessionRow = Type.Object({
  id_hash: Type.String({ description: "HMAC of the cookie's secret." }),
  user_id: Type.Union([Type.Integer(), Type.Null()], { description: 'Null before sign-in.' }),
  data: Type.String({ description: 'JSON.' }),
  created_at: Type.Integer({ description: 'Unix seconds.' }),
  expires_at: Type.Integer({ description: 'Unix seconds.' }),
  last_used_at: Type.Integer({ default: 0, description: 'Unix seconds, to five minutes.' }),
  address: Type.String(),
  user_agent: Type.String(),
})
export type SessionRow = Static<typeof sessionRow>

export const sessions = defineModel('sessions', sessionRow, ['id_hash'])
