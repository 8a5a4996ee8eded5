import { Type, type Static } from '@sinclair/typebox'
import { defineModel } from './define-model.ts'

/** A row of `second_factors`: the authenticator of a user. Nothing of it goes over the wire. */
const secondFactorRow = Type.Object({
  user_id: Type.Integer(),
  secret: Type.String({ description: 'Base32, encrypted.' }),
  is_enabled: Type.Integer({ description: '0 until the first right code.' }),
  last_step: Type.Integer({ description: 'The period of the last code that was used.' }),
  recovery: Type.String({ description: 'JSON: HMACs of the recovery codes that are left.' }),
  created_at: Type.Integer({ description: 'Unix seconds.' }),
})
export type SecondFactorRow = Static<typeof secondFactorRow>

export const secondFactors = defineModel('second_factors', secondFactorRow, ['user_id'])
