import { type Static, Type } from '@sinclair/typebox'

const text = Type.Optional(Type.String({ maxLength: 64 }))

/** Filters come as text and are never refused for their form: consoles send `NaN` for empty inputs. */
export const dataQuery = Type.Object({
  start_timestamp: text,
  end_timestamp: text,
  username: text,
  /** Goes before `username`: a user who was renamed stands under both names. */
  user_id: text,
  /** hour, day or week. Rows are summed by it only where `timezone_offset` says where a day begins. */
  default_time: text,
  /** Seconds east of UTC. */
  timezone_offset: text,
})
export type DataQuery = Static<typeof dataQuery>

/** Stands for the models of least quota, where all of them would be too many rows; `model_count` then says how many there are. */
export const OTHER_MODELS = '*'

/** What one model cost in one hour (day, week). `created_at` is its first second. */
export interface DataRow {
  id: number
  user_id: number
  username: string
  model_name: string
  created_at: number
  token_used: number
  count: number
  quota: number
}

/** What one user spent in the span. */
export interface UserRow {
  user_id: number
  username: string
  token_used: number
  count: number
  quota: number
}
