import { type Static, Type } from '@sinclair/typebox'

const text = (description: string) => Type.Optional(Type.String({ maxLength: 64, description }))

/** Filters come as text and are never refused for their form: consoles send `NaN` for empty inputs. */
export const dataQuery = Type.Object({
  start_timestamp: text('Unix seconds.'),
  end_timestamp: text('Unix seconds.'),
  username: Type.Optional(Type.String({ maxLength: 64 })),
  user_id: text('Wins over `username`: who was renamed has rows under both names.'),
  default_time: text(
    'hour, day or week. Rows are summed by it only if `timezone_offset` says where a day begins.',
  ),
  timezone_offset: text('Seconds east of UTC.'),
})
export type DataQuery = Static<typeof dataQuery>

export const ownDataQuery = Type.Omit(dataQuery, ['username', 'user_id'])
export const spendersQuery = Type.Pick(dataQuery, ['start_timestamp', 'end_timestamp'])

/** Stands for the models of least quota where rows for all models would be too many; `model_count` then says how
 *  many models there are. */
export const OTHER_MODELS = '*'

/** The cost of one model in one hour, day or week. `created_at` is the first second of it. */
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

/** The spending of one user in the span. */
export interface UserRow {
  user_id: number
  username: string
  token_used: number
  count: number
  quota: number
}
