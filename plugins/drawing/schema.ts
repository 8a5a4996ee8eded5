import { Type, type Static } from '@sinclair/typebox'

const text = (about: { description?: string } = {}) =>
  Type.Optional(Type.String({ maxLength: 256, ...about }))

/** Filters come as text and are never refused for their form: consoles send `NaN` for empty inputs. */
export const drawingQuery = Type.Object({
  p: text({ description: 'Page, from 0.' }),
  /** Older consoles do not say it. */
  page_size: text({ description: 'At most 100; 10 if it is missing.' }),
  channel_id: text({ description: 'For admins.' }),
  mj_id: text({ description: 'Id of the task.' }),
  start_timestamp: text({ description: 'Milliseconds.' }),
  end_timestamp: text({ description: 'Milliseconds.' }),
})
export type DrawingQuery = Static<typeof drawingQuery>

/** A drawing task on the wire. Times are milliseconds, but for `created_at`. */
export interface Drawing {
  id: number
  code: number
  user_id: number
  action: string
  mj_id: string
  prompt: string
  prompt_en: string
  description: string
  state: string
  submit_time: number
  start_time: number
  finish_time: number
  created_at: number
  image_url: string
  status: string
  progress: string
  fail_reason: string
  channel_id: number
  quota: number
  /** JSON text. */
  buttons: string
  /** JSON text. */
  properties: string
}
