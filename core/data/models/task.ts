// Table `tasks`, stated once: drawing, music and video tasks of all platforms.
import { Type, type Static } from '@sinclair/typebox'
import { defineModel } from './define-model.ts'

const text = (description?: string) =>
  Type.String({ default: '', ...(description === undefined ? {} : { description }) })
const milliseconds = () => Type.Integer({ default: 0, description: 'Milliseconds; 0: not yet.' })

const storedTask = Type.Object({
  id: Type.Integer(),
  platform: Type.String(),
  screen: Type.Union([Type.Literal('drawing'), Type.Literal('tasks')], {
    description: 'The log screen of the console that lists it.',
  }),
  task_id: text("The upstream's id; empty until a submit was accepted."),
  user_id: Type.Integer(),
  token_id: Type.Integer({ default: 0 }),
  channel_id: Type.Integer({ default: 0 }),
  model_name: text(),
  action: text(),
  quota: Type.Integer({
    default: 0,
    description: 'Units that the ledger has charged for it: what a failure gives back.',
  }),
  code: Type.Integer({
    default: 0,
    description: "The upstream's answer to the submit, for platforms that number it.",
  }),
  status: text(
    "The platform's own word; empty while the submit is under way, `FAILURE` for every failure.",
  ),
  progress: Type.String({ default: '0%', description: '`0%` to `100%`.' }),
  fail_reason: text(),
  input: text('What the caller asked for, in words.'),
  data: Type.String({ default: 'null', description: 'JSON: what the platform last told of it.' }),
  created_at: Type.Integer({ description: 'Unix seconds.' }),
  updated_at: Type.Integer({ description: 'Unix seconds.' }),
  submit_ms: milliseconds(),
  start_ms: milliseconds(),
  finish_ms: milliseconds(),
  is_open: Type.Boolean({
    default: true,
    description: 'False once it has succeeded or failed: nothing reopens it.',
  }),
  hook_url: text("The client's address that is told of every change; empty for none."),
  hook_hash: text('Look-up hash of the secret in the hook address that the upstream got.'),
  request_id: text('Of the submit.'),
  file_key: text(
    'Stands in the address of its file; empty for tasks from before there were such keys.',
  ),
  key_hash: text('Look-up hash of the key it was submitted with; empty where its channel had one.'),
})
export type StoredTask = Static<typeof storedTask>

export const tasks = defineModel('tasks', storedTask, ['id'])

/** What only core sees. */
const hidden = ['hook_url', 'hook_hash', 'request_id', 'key_hash'] as const

/** What admins and its owner see of a task, and what adapters get. */
const taskRecord = Type.Composite([
  Type.Omit(storedTask, [...hidden, 'data']),
  Type.Object({ data: Type.Unknown({ description: 'What the platform last told of it.' }) }),
])
export type TaskRecord = Static<typeof taskRecord>

/** A row as core itself sees it: with what only the hooks and the polls need. */
export type TaskRow = TaskRecord & Pick<StoredTask, 'hook_url' | 'hook_hash' | 'key_hash'>

export function toTaskRow({ request_id: _requestId, ...row }: StoredTask): TaskRow {
  return { ...row, data: JSON.parse(row.data) as unknown }
}

export function toTaskRecord(row: StoredTask): TaskRecord {
  const { hook_url: _url, hook_hash: _hash, key_hash: _key, ...record } = toTaskRow(row)
  return record
}
