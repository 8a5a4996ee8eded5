import { Type } from '@sinclair/typebox'
import { defineModel } from './define-model.ts'

/** A row of `plugins`: one that was ever switched on or off. */
const pluginRow = Type.Object({
  id: Type.String(),
  enabled: Type.Boolean(),
  source: Type.String({ description: '`built-in`, or where it came from.' }),
  location: Type.String(),
})

export const plugins = defineModel('plugins', pluginRow, ['id'])
