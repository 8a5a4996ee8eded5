import { logType } from '../contract/constants.ts'
import type { DatabaseService } from '../contract/services.ts'
import type { UsageLogQuery } from '../contract/money-services.ts'
import { chooseIndex } from './log-index-choice-sql.ts'
import { pairFilter } from './log-pair-filter-sql.ts'
import { type Asked, askedOf } from './log-question-sql.ts'
import { idSpan, withinIds } from './log-quarters-sql.ts'

/** A WHERE clause over `logs`. */
export interface LogFilter {
  asked: Asked
  where: string
  replacements: Record<string, unknown>
  /** Its rows may be in some pieces of the log only: where they are few, they are found there, and not by their order. */
  isOfPieces: boolean
}

/** @returns undefined when nothing can match */
export async function logFilter(
  database: DatabaseService,
  query: UsageLogQuery,
): Promise<LogFilter | undefined> {
  const asked = await askedOf(database, query)
  if (asked === undefined) return undefined
  const span =
    query.start === undefined && query.end === undefined ? all : await idSpan(database, query)
  if (span === undefined) return undefined
  const ids = span === all ? none : withinIds(span)
  const pairs = await pairFilter(database, asked)
  const replacements = { ...query, ...asked, ...ids.values, ...pairs.values }
  const conditions = [...conditionsOf(query, asked), ...ids.conditions, ...pairs.conditions]
  const chosen = await chooseIndex(database, conditions, replacements)
  return {
    asked,
    where: chosen.length === 0 ? '' : `WHERE ${chosen.join(' AND ')}`,
    replacements,
    isOfPieces: pairs.conditions.length > 0,
  }
}

const all = { first: 0, last: undefined }
const none = { conditions: [], values: {} }

function conditionsOf({ type, start, end, requestId }: UsageLogQuery, asked: Asked): string[] {
  const { users, name, models, areAll, channel, group, token, tokenId } = asked
  const conditions: (string | false)[] = [
    users !== undefined && (users.length === 1 ? 'user_id = :users' : 'user_id IN (:users)'),
    name !== undefined && 'username = :name',
    type !== undefined && 'type = :type',
    // What the partial indexes leave out, said as a literal: they are not used for a bound value.
    type !== undefined && type !== logType.consume && 'type <> 2',
    token !== undefined && 'token_name = :token',
    tokenId !== undefined && 'token_id = :tokenId',
    start !== undefined && 'created_at >= :start',
    end !== undefined && 'created_at <= :end',
    channel !== undefined && 'channel_id = :channel',
    group !== undefined && '"group" = :group',
    group !== undefined && group !== 'default' && `"group" <> 'default'`,
    requestId !== undefined && 'request_id = :requestId',
    models !== undefined && (areAll ? `model_name <> ''` : 'model_name IN (:models)'),
  ]
  return conditions.filter((condition) => condition !== false)
}
