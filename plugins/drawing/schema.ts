import { Type, type Static } from '@sinclair/typebox'

const text = Type.Optional(Type.String({ maxLength: 256 }))

/** Filters come as text and are never refused for their form: consoles send `NaN` for empty inputs. */
export const drawingQuery = Type.Object({
  p: text,
  /** Rows of a page, 1 to 100; older consoles do not say it and get 10. */
  page_size: text,
  channel_id: text,
  mj_id: text,
  start_timestamp: text,
  end_timestamp: text,
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
