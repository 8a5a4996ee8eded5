import { Type } from '@sinclair/typebox'
import { defineModel } from './define-model.ts'

/** The row of `master_key`, whose id is 1. Nothing of it goes over the wire. */
const masterKeyRow = Type.Object({
  id: Type.Integer(),
  sealed: Type.String({ description: 'A text of no meaning, encrypted by the key.' }),
})

export const masterKeys = defineModel('master_key', masterKeyRow, ['id'])
