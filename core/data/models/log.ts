// Table `logs`, declared once: its columns, which the ledger writes, its model and its form on the wire.
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

/** Fields that records have under another name, or twice. */
const derived: Readonly<Record<string, string>> = {
  use_time_ms: 'use_time_ms / 1000 AS use_time, use_time_ms',
  channel_id: 'channel_id AS channel',
}

/** The columns to write; the database chooses the id. */
export const newLogRow = Type.Object(written)
export type LogRow = Static<typeof newLogRow>

const logRow = Type.Object({ id: Type.Integer(), ...written })

export const logs = defineModel('logs', logRow, ['id'])

/** A row on the wire, for admins; owners get less of it (plugins/logs). */
const logRecord = Type.Composite([
  Type.Omit(logRow, ['channel_id']),
  Type.Object({
    use_time: Type.Integer({ description: 'Whole seconds.' }),
    channel: Type.Integer(),
    channel_name: Type.String(),
  }),
])
export type LogRecord = Static<typeof logRecord>

/** The names of a record's fields that a row of the log has. */
export const recordNames = Object.keys(logRecord.properties).filter(
  (name) => name !== 'channel_name',
) as Exclude<keyof LogRecord, 'channel_name'>[]

/** The columns of a record as a list to select, without the channel's name, which is in another table. */
export const recordColumns = Object.keys(logRow.properties)
  .map((name) => derived[name] ?? `"${name}"`)
  .join(', ')
