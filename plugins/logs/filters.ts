import type { UsageLogQuery } from '#core'
import type { LogQuery } from './schema.ts'

/** Filters that everybody may use. */
export function ownFilters(query: LogQuery, userId: number): UsageLogQuery {
  return { ...sharedFilters(query), userId }
}

/** Admins also filter by user and channel. */
export function adminFilters(query: LogQuery): UsageLogQuery {
  return {
    ...sharedFilters(query),
    ...given('username', textOf(query.username)),
    ...given('channelId', positive(query.channel)),
  }
}

/** A number above zero; undefined for everything else, `NaN` and `undefined` included. */
export function positive(text: string | undefined): number | undefined {
  const value = Number(text?.trim() || Number.NaN)
  return Number.isSafeInteger(value) && value > 0 ? value : undefined
}

function sharedFilters(query: LogQuery): UsageLogQuery {
  const span = spanOf(query)
  return {
    ...given('type', positive(query.type)),
    ...given('tokenName', textOf(query.token_name)),
    ...given('modelName', textOf(query.model_name)),
    ...given('start', span.start),
    ...given('end', span.end),
    ...given('group', textOf(query.group)),
    ...given('requestId', textOf(query.request_id?.trim())),
  }
}

interface Span {
  start: number | undefined
  end: number | undefined
}

const daySeconds = 86_400

/** A request's id begins with its local time: its row is within a day of it, whatever the zone and however long the answer. */
function spanOf({ start_timestamp, end_timestamp, request_id = '' }: LogQuery): Span {
  const asked = { start: positive(start_timestamp), end: positive(end_timestamp) }
  if (request_id.trim() === '') return asked
  const digits = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)\d{9}/.exec(request_id.trim())
  const numbers = digits?.slice(1).map(Number) ?? []
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = numbers
  // What is no id of ours is in no row.
  const seconds = digits ? Date.UTC(year, month - 1, day, hour, minute, second) / 1000 : daySeconds
  return {
    start: Math.max(asked.start ?? 0, seconds - daySeconds),
    end: Math.min(asked.end ?? Infinity, seconds + daySeconds),
  }
}

function textOf(text: string | undefined): string | undefined {
  return text === '' ? undefined : text
}

function given<K extends keyof UsageLogQuery>(
  key: K,
  value: UsageLogQuery[K],
): Pick<UsageLogQuery, K> | Record<string, never> {
  return value === undefined ? {} : ({ [key]: value } as Pick<UsageLogQuery, K>)
}
