import { Type, type Static } from '@sinclair/typebox'

const text = (about: { description?: string } = {}) =>
  Type.Optional(Type.String({ maxLength: 256, ...about }))

/** Filters come as text and are never refused for their form: consoles send `NaN` for empty inputs. */
export const taskQuery = Type.Object({
  p: text({ description: 'Page, from 0.' }),
  /** Older consoles do not send it. */
  page_size: text({ description: 'At most 100; 10 if it is missing.' }),
  channel_id: text({ description: 'For admins.' }),
  task_id: text(),
  platform: text(),
  action: text(),
  status: text(),
  start_timestamp: text({ description: 'Unix seconds.' }),
  end_timestamp: text({ description: 'Unix seconds.' }),
})
export type TaskLogQuery = Static<typeof taskQuery>

/** A task on the wire, with times in seconds. */
export interface Task {
  id: number
  created_at: number
  updated_at: number
  task_id: string
  platform: string
  user_id: number
  channel_id: number
  quota: number
  action: string
  status: string
  fail_reason: string
  submit_time: number
  start_time: number
  finish_time: number
  progress: string
  properties: { input: string }
  /** The data that the upstream returned. */
  data: unknown
}
