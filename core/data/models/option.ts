import { Type } from '@sinclair/typebox'
import { defineModel } from './define-model.ts'

/** A row of `options`: the value as on the wire; that of a secret is sealed. What goes over the wire, the option store knows. */
const optionRow = Type.Object({ key: Type.String(), value: Type.String() })

export const options = defineModel('options', optionRow, ['key'])
