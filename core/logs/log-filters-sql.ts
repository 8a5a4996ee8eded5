import { logType } from '../contract/constants.ts'
import type { DatabaseService } from '../contract/services.ts'
import type { UsageLogQuery } from '../contract/money-services.ts'
import { chooseIndex } from './log-index-choice-sql.ts'
import { pairFilter } from './log-pair-filter-sql.ts'
import { type LogQuestion, questionOf } from './log-question-sql.ts'
import { rowsOfRequest } from './log-request-blocks-sql.ts'
import { idSpan, type IdSpan, withinIds } from './log-quarters-sql.ts'

/** A WHERE clause over `logs`. */
export interface LogFilter {
  question: LogQuestion
  where: string
  replacements: Record<string, unknown>
  /** The same without the span of time, and the ids of that span. */
  untimed: string
  span: IdSpan
  /** Newest rows first. */
  order: string
  /** Rows are found in this order by an index of two values, however rarely these meet. */
  isOfIndex: boolean
  /** The rows may lie in a few pieces of the log only. If they are few, they are selected by these pieces instead of in
   *  the order of the page. */
  isOfPieces: boolean
}

/** @returns undefined when nothing can match */
export async function logFilter(
  database: DatabaseService,
  query: UsageLogQuery,
): Promise<LogFilter | undefined> {
  const question = await questionOf(database, query)
  if (question === undefined) return undefined
  const span =
    query.start === undefined && query.end === undefined ? all : await idSpan(database, query)
  if (span === undefined) return undefined
  const { requestId } = query
  const rows = requestId === undefined ? undefined : await rowsOfRequest(database, requestId)
  if (rows?.length === 0) return undefined
  const ids = span === all ? none : withinIds(span)
  const pairs = await pairFilter(database, question)
  const replacements = { ...query, ...question, rows, ...ids.values, ...pairs.values }
  const ofRequest = rows === undefined ? [] : ['id IN (:rows)']
  const owner = ownerOf(database, question)
  const ofSpan = [...timesOf(query), ...ids.conditions]
  const conditions = [
    ...conditionsOf(query, question, owner),
    ...ofSpan,
    ...ofRequest,
    ...pairs.conditions,
  ]
  const chosen = await chooseIndex(database, conditions, replacements)
  return {
    question,
    where: clauseOf(chosen),
    span,
    untimed: clauseOf(chosen.filter((condition) => !ofSpan.includes(condition))),
    replacements,
    order: owner === undefined ? 'id DESC' : `${owner.column} DESC, id DESC`,
    isOfIndex: owner !== undefined,
    isOfPieces: pairs.conditions.length > 0,
  }
}

function clauseOf(conditions: readonly string[]): string {
  return conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`
}

/** Read first of what an index of two values finds. */
const FEW = 100

/** PostgreSQL does not know that two values meet rarely: to count or sum their rows it would read all rows of a span. For
 *  a few in the order of their index it takes that index, and mostly there are no more.
 *  @param limit if there are more
 *  @param read tells how many rows were found within the limit, in each part of the log that is read with it */
export async function fewFirst<Found>(
  { order, isOfIndex }: Pick<LogFilter, 'order' | 'isOfIndex'>,
  limit: string,
  read: (limit: string) => Promise<{ found: Found; rows: number } | undefined>,
): Promise<Found | undefined> {
  const few = isOfIndex ? await read(`ORDER BY ${order} LIMIT ${FEW}`) : undefined
  return (few !== undefined && few.rows < FEW ? few : await read(limit))?.found
}

const all = { first: 0, last: undefined }
const none = { conditions: [], values: {} }

const userIndex = {
  column: 'user_id',
  condition: 'user_id = ANY (ARRAY[CAST(:users AS BIGINT)])',
} as const
const channelIndex = {
  column: 'channel_id',
  condition: 'channel_id = ANY (ARRAY[CAST(:channel AS BIGINT)])',
} as const
type OwnerIndex = typeof userIndex | typeof channelIndex

/** The index of a customer or channel and a model. PostgreSQL takes the two for independent and expects the page among
 *  the newest rows of the log: where they meet rarely, it would read half a million. Only this index has its rows in the
 *  order of owner and id. An array of one value keeps PostgreSQL from seeing that this is the order of ids. */
function ownerOf(
  { dialect }: DatabaseService,
  { users, channel, models = [], areAll = false }: LogQuestion,
): OwnerIndex | undefined {
  if (dialect !== 'postgres' || models.length !== 1 || areAll) return undefined
  if (users !== undefined) return users.length === 1 ? userIndex : undefined
  return channel === undefined ? undefined : channelIndex
}

function conditionsOf(
  { type }: UsageLogQuery,
  question: LogQuestion,
  owner: OwnerIndex | undefined,
): string[] {
  const { users, name, models, areAll, channel, group, token, tokenId } = question
  const conditions: (string | false)[] = [
    owner?.condition ?? false,
    users !== undefined &&
      owner !== userIndex &&
      (users.length === 1 ? 'user_id = :users' : 'user_id IN (:users)'),
    name !== undefined && 'username = :name',
    type !== undefined && 'type = :type',
    // Written as a literal, because partial indexes are not used for a bound value.
    type !== undefined && type !== logType.consume && 'type <> 2',
    token !== undefined && 'token_name = :token',
    tokenId !== undefined && 'token_id = :tokenId',
    channel !== undefined && owner !== channelIndex && 'channel_id = :channel',
    group !== undefined && '"group" = :group',
    group !== undefined && group !== 'default' && `"group" <> 'default'`,
    models !== undefined && (areAll ? `model_name <> ''` : 'model_name IN (:models)'),
  ]
  return conditions.filter((condition) => condition !== false)
}

function timesOf({ start, end }: UsageLogQuery): string[] {
  return [
    ...(start === undefined ? [] : ['created_at >= :start']),
    ...(end === undefined ? [] : ['created_at <= :end']),
  ]
}
