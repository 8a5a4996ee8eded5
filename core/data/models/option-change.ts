import { Type } from '@sinclair/typebox'
import { defineModel } from './define-model.ts'

/** A row of `option_changes`: what the kernel notes of a change (contract/options.ts says what each column means). */
const optionChangeRow = Type.Object({
  id: Type.Integer(),
  key: Type.String(),
  changed_at: Type.Integer({ description: 'Unix seconds.' }),
  user_id: Type.Integer(),
  username: Type.String(),
  origin: Type.String(),
  is_secret: Type.Boolean(),
  old_value: Type.Union([Type.String(), Type.Null()]),
  new_value: Type.Union([Type.String(), Type.Null()]),
  old_size: Type.Integer(),
  new_size: Type.Integer(),
})

export const optionChanges = defineModel('option_changes', optionChangeRow, ['id'])
