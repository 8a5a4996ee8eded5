import { Type, type Static } from '@sinclair/typebox'
import type { UserRecord } from '#core'

export type { LogRecord } from '#core'

/** The user who made a call, as `/api/user/:id` describes him to admins. */
export type CallOwner = UserRecord

const text = (about: { description?: string } = {}) =>
  Type.Optional(Type.String({ maxLength: 256, ...about }))

const TYPES = '1 top-up, 2 consumption, 3 management, 4 system, 5 error'

/** Filters come as text and are never refused for their form: consoles send `NaN` and `undefined` for empty inputs. */
export const logQuery = Type.Object({
  p: text({ description: 'Page, from 1.' }),
  page_size: text({ description: 'At most 100; 10 if it is missing.' }),
  type: text({ description: `${TYPES}; 0: all.` }),
  username: text(),
  token_name: text(),
  model_name: text(),
  start_timestamp: text({ description: 'Unix seconds.' }),
  end_timestamp: text({ description: 'Unix seconds.' }),
  channel: text({ description: 'Id of a channel.' }),
  group: text(),
  request_id: text(),
})
export type LogQuery = Static<typeof logQuery>

const PAGES = ['p', 'page_size'] as const
const OF_ADMINS = ['username', 'channel'] as const
/** Downloads have no pages, and sums are of consumption alone. */
export const exportQuery = Type.Omit(logQuery, PAGES)
export const statQuery = Type.Omit(exportQuery, ['type'])
export const ownLogQuery = Type.Omit(logQuery, OF_ADMINS)
export const ownExportQuery = Type.Omit(exportQuery, OF_ADMINS)
export const ownStatQuery = Type.Omit(statQuery, OF_ADMINS)

export const searchQuery = Type.Object({
  keyword: text({
    description: `Number of a type (${TYPES}), for admins also how the text begins.`,
  }),
})

export const tokenLogQuery = Type.Object({
  key: text({ description: 'The key, if it is not in the header Authorization.' }),
})

/** A caller who repeats the call with a limit until fewer are deleted can show progress. */
export const deleteQuery = Type.Object({
  target_timestamp: text({ description: 'Unix seconds.' }),
  limit: text({ description: 'The most rows to delete, oldest first; all if it is missing.' }),
})

/** Rows before this time are deleted, in Unix seconds. */
export const clearingBody = Type.Object(
  {
    target_timestamp: Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Unix seconds.',
    }),
  },
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
  /** `stopped`: it failed, `cancelled`: an admin has stopped it; rows may be left. */
  state: 'running' | 'done' | 'stopped' | 'cancelled'
}
