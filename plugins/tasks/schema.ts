import { Type, type Static } from '@sinclair/typebox'

const text = Type.Optional(Type.String({ maxLength: 256 }))

/** Filters come as text and are never refused for their form: consoles send `NaN` for empty inputs. */
export const taskQuery = Type.Object({
  p: text,
  /** Rows of a page, 1 to 100. Older consoles do not send it and get 10. */
  page_size: text,
  channel_id: text,
  task_id: text,
  platform: text,
  action: text,
  status: text,
  start_timestamp: text,
  end_timestamp: text,
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
