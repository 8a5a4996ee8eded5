import { Type, type Static } from '@sinclair/typebox'
import type { UserRecord } from '#core'

export type { LogRecord } from '#core'

/** The user who made a call, as `/api/user/:id` describes him to admins. */
export type CallOwner = UserRecord

const text = Type.Optional(Type.String({ maxLength: 256 }))

/** Filters come as text and are never refused for their form: consoles send `NaN` and `undefined` for empty inputs. */
export const logQuery = Type.Object({
  p: text,
  page_size: text,
  type: text,
  username: text,
  token_name: text,
  model_name: text,
  start_timestamp: text,
  end_timestamp: text,
  channel: text,
  group: text,
  request_id: text,
})
export type LogQuery = Static<typeof logQuery>

export const searchQuery = Type.Object({ keyword: text })

export const tokenLogQuery = Type.Object({ key: text })

/** `limit`: the most rows to delete, oldest first. A caller who repeats the call until fewer are deleted can show
 *  progress. */
export const deleteQuery = Type.Object({ target_timestamp: text, limit: text })

/** Rows before this time are deleted, in Unix seconds. */
export const clearingBody = Type.Object(
  { target_timestamp: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }) },
  { additionalProperties: false },
)

/** The clearing that was begun last. Times are in seconds. */
export interface Clearing {
  target_timestamp: number
  username: string
  started_at: number
  /** 0 while it runs. */
  ended_at: number
  cleared: number
  /** `stopped`: it failed, and rows may be left. */
  state: 'running' | 'done' | 'stopped'
}
