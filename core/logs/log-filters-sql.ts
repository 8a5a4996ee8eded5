import { logType } from '../contract/constants.ts'
import type { DatabaseService } from '../contract/services.ts'
import type { UsageLogQuery } from '../contract/money-services.ts'
import { plainRows } from '../data/models/define-model.ts'
import { logModels } from '../data/models/log.ts'
import { tokens } from '../data/models/token.ts'
import { users } from '../data/models/user.ts'

/** A WHERE clause over `logs`; undefined when nothing can match. */
export interface LogFilter {
  where: string
  replacements: Record<string, unknown>
  /** The order in which an index gives the rows of this filter, newest first. */
  order: string
  /** The condition of what comes after the row `:lastId` of `:lastTime` in that order. */
  after: string
}

const byId = { order: 'id DESC', after: 'id < :lastId' }
/** Within a span of time of all users the index on created_at leads; id breaks the ties. */
const byTime = {
  order: 'created_at DESC, id DESC',
  after: 'created_at <= :lastTime AND (created_at < :lastTime OR id < :lastId)',
}

const columns = [
  ['userId', 'user_id = :userId'],
  ['type', 'type = :type'],
  ['username', 'username = :username'],
  ['tokenName', 'token_name = :tokenName'],
  ['tokenId', 'token_id = :tokenId'],
  ['start', 'created_at >= :start'],
  ['end', 'created_at <= :end'],
  ['channelId', 'channel_id = :channelId'],
  ['group', '"group" = :group'],
] as const satisfies readonly (readonly [keyof UsageLogQuery, string])[]

export async function logFilter(
  database: DatabaseService,
  query: UsageLogQuery,
): Promise<LogFilter | undefined> {
  const conditions: string[] = []
  const replacements: Record<string, unknown> = {}
  for (const [name, condition] of columns) {
    if (query[name] === undefined) continue
    conditions.push(condition)
    replacements[name] = query[name]
  }
  // What the partial indexes leave out, said as a literal: they are not used for a bound value.
  if (query.type !== undefined && query.type !== logType.consume) conditions.push('type <> 2')
  if (query.group !== undefined && query.group !== 'default')
    conditions.push(`"group" <> 'default'`)
  const ownerId = query.userId ?? (await ownerOf(database, query))
  if (ownerId !== undefined && query.userId === undefined) {
    conditions.push('user_id = :ownerId')
    replacements.ownerId = ownerId
  }
  if (query.modelName !== undefined) {
    const names = await modelNames(database, query.modelName)
    if (names === undefined) return undefined
    if (names !== 'all') {
      conditions.push('model_name IN (:models)')
      replacements.models = names
    }
  }
  const hasTime = query.start !== undefined || query.end !== undefined
  return {
    where: conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`,
    replacements,
    ...(hasTime && ownerId === undefined ? byTime : byId),
  }
}

/** Rows of one token or name are found by the index on user_id; a name nobody bears any more has only its rows. */
async function ownerOf(
  database: DatabaseService,
  { tokenId, username }: UsageLogQuery,
): Promise<number | undefined> {
  if (tokenId === undefined && username === undefined) return undefined
  if (tokenId !== undefined) {
    const token = await tokens(database).findByPk(tokenId, { attributes: ['user_id'] })
    return token?.get().user_id
  }
  const where = { username: username ?? '' }
  return (await users(database).findOne({ where, attributes: ['id'] }))?.get().id
}

/**
 * The names that a pattern means: `%` stands for any text, it is the only wildcard, and case does not count.
 */
async function modelNames(
  database: DatabaseService,
  pattern: string,
): Promise<string[] | 'all' | undefined> {
  if (/^%+$/.test(pattern)) return 'all'
  const rows = plainRows(await logModels(database).findAll())
  const matches = matcherOf(pattern)
  const names = rows.map(({ name }) => name).filter(matches)
  if (!pattern.includes('%') && !names.includes(pattern)) names.push(pattern)
  return names.length === 0 ? undefined : names
}

/** Compares piece by piece: as a regular expression, many `%` could take exponential time. */
function matcherOf(pattern: string): (name: string) => boolean {
  const pieces = pattern.toLowerCase().split('%')
  const first = pieces[0] ?? ''
  if (pieces.length === 1) return (name) => name.toLowerCase() === first
  const last = pieces.at(-1) ?? ''
  const middle = pieces.slice(1, -1)
  return (name) => {
    const text = name.toLowerCase()
    if (!text.startsWith(first) || !text.endsWith(last)) return false
    let from = first.length
    for (const piece of middle) {
      const at = text.indexOf(piece, from)
      if (at === -1) return false
      from = at + piece.length
    }
    return from <= text.length - last.length
  }
}
