import { Type } from '@sinclair/typebox'
import { defineModel } from './define-model.ts'

/** A row of `plugins`: one that was ever switched on or off. */
const pluginRow = Type.Object({
  id: Type.String(),
  enabled: Type.Boolean(),
  source: Type.String({ description: '`built-in`, or where it came from.' }),
  location: Type.String(),
  version: Type.String({
    default: '',
    description: 'Of one that the gateway installed; empty: the newest.',
  }),
  confirmed: Type.String({
    default: '',
    description: 'What somebody has confirmed that it asks for, as a JSON list.',
  }),
  failures: Type.Integer({
    default: 0,
    description:
      'Loads that failed since it was last switched, or loaded well; from two on it is parked.',
  }),
  cause: Type.String({ default: '', description: 'Of the last failure, as JSON.' }),
})

export const plugins = defineModel('plugins', pluginRow, ['id'])
