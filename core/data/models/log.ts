// Table `logs`, stated once: its columns, which the ledger writes, its model and what of it goes over the wire.
import { Type, type Static } from '@sinclair/typebox'
import { defineModel } from './define-model.ts'

const text = () => Type.String({ default: '' })
const integer = (description?: string) =>
  Type.Integer({ default: 0, ...(description === undefined ? {} : { description }) })

const written = {
  user_id: integer(),
  username: text(),
  created_at: integer('Unix seconds.'),
  type: integer('1 top-up, 2 consumption, 3 admin, 4 system, 5 error.'),
  content: text(),
  token_name: text(),
  token_id: integer('0: no token.'),
  model_name: text(),
  quota: integer('Quota units.'),
  prompt_tokens: integer(),
  completion_tokens: integer(),
  use_time_ms: integer('Milliseconds from the start of the call to its row.'),
  is_stream: Type.Boolean({ default: false }),
  channel_id: integer('0: no channel.'),
  group: text(),
  other: Type.String({ default: '', description: 'JSON text; core/logs/log-details.ts.' }),
  request_id: text(),
}

/** What records have under another name, or twice. */
const derived: Readonly<Record<string, string>> = {
  use_time_ms: 'use_time_ms / 1000 AS use_time, use_time_ms',
  channel_id: 'channel_id AS channel',
}

/** What is written of a usage row; its id is given by the database. */
export const newLogRow = Type.Object(written)
export type LogRow = Static<typeof newLogRow>

const logRow = Type.Object({ id: Type.Integer(), ...written })

export const logs = defineModel('logs', logRow, ['id'])

/** The distinct model names of the log: a pattern is matched against them, never against all rows. */
export const logModels = defineModel('log_models', Type.Object({ name: Type.String() }), ['name'])

/** A row on the wire, for admins; its owner gets less of it (plugins/logs). */
const logRecord = Type.Composite([
  Type.Omit(logRow, ['channel_id']),
  Type.Object({
    use_time: Type.Integer({ description: 'Whole seconds.' }),
    channel: Type.Integer(),
    channel_name: Type.String(),
  }),
])
export type LogRecord = Static<typeof logRecord>

/** The columns of a record but for the channel's name, which stands elsewhere, as a list to select. */
export const recordColumns = Object.keys(logRow.properties)
  .map((name) => derived[name] ?? `"${name}"`)
  .join(', ')
