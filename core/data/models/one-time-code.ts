import { type Static, Type } from '@sinclair/typebox'
import { defineModel } from './define-model.ts'

/** A row of `one_time_codes`: one code a purpose and subject. Nothing of it goes over the wire. */
const oneTimeCodeRow = Type.Object({
  purpose: Type.String(),
  subject: Type.String({ description: 'Whom it was sent to.' }),
  code_hash: Type.String({ description: 'HMAC of the code.' }),
  expires_at: Type.Integer({ description: 'Unix seconds.' }),
  tries: Type.Integer(),
  sealed: Type.String({
    default: '',
    description: 'The code, encrypted, where it may be sent again.',
  }),
})
export type OneTimeCodeRow = Static<typeof oneTimeCodeRow>

export const oneTimeCodes = defineModel('one_time_codes', oneTimeCodeRow, ['purpose', 'subject'])
