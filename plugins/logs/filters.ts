import { positiveOf, type UsageLogQuery } from '#core'
import type { LogQuery } from './schema.ts'

/** Filters that everybody may use. */
export function ownFilters(query: LogQuery, userId: number): UsageLogQuery {
  return { ...sharedFilters(query), userId }
}

/** Filters for admins: by user and channel, too. */
export function adminFilters(query: LogQuery): UsageLogQuery {
  return {
    ...sharedFilters(query),
    ...given('username', textOf(query.username)),
    ...given('channelId', positiveOf(query.channel)),
  }
}

function sharedFilters(query: LogQuery): UsageLogQuery {
  return {
    ...given('type', positiveOf(query.type)),
    ...given('tokenName', textOf(query.token_name)),
    ...given('modelName', textOf(query.model_name)),
    ...given('start', positiveOf(query.start_timestamp)),
    ...given('end', positiveOf(query.end_timestamp)),
    ...given('group', textOf(query.group)),
    ...given('requestId', textOf(query.request_id?.trim())),
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
