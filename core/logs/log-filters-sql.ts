import { logType } from '../contract/constants.ts'
import type { DatabaseService } from '../contract/services.ts'
import type { UsageLogQuery } from '../contract/money-services.ts'
import { plainRows } from '../data/models/define-model.ts'
import { logModels } from '../data/models/log.ts'
import { tokens } from '../data/models/token.ts'
import { chooseIndex } from './log-index-choice-sql.ts'
import { type Met, metOf } from './log-pair-counts-sql.ts'
import { type Asked, pairFilter } from './log-pairs-sql.ts'
import { idSpan, lastSummed, withinIds } from './log-quarters-sql.ts'

/** A WHERE clause over `logs`; undefined when nothing can match. */
export interface LogFilter {
  where: string
  replacements: Record<string, unknown>
  /** Its rows may be in some pieces of the log only: where they are few, they are found there, and not by their order. */
  isOfPieces: boolean
  /** Where it asks for two values and, beside a type or a span, nothing else: their rows may be counted already. */
  met?: Met
}

const columns = [
  ['userId', 'user_id = :userId'],
  ['type', 'type = :type'],
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
  const owners = await addOwner(database, query, { conditions, replacements })
  if (owners?.length === 0) return undefined
  const user = query.userId ?? (owners?.length === 1 ? owners[0] : undefined)
  const asked: Asked = { user, channel: query.channelId, group: query.group }
  if (query.modelName !== undefined) {
    const { names, areAll } = await modelNames(database, query.modelName)
    if (names?.length === 0) return undefined
    if (names !== undefined) {
      if (!areAll) asked.models = names
      conditions.push(areAll ? `model_name <> ''` : 'model_name IN (:models)')
      replacements.models = names
    }
  }
  if (query.start !== undefined || query.end !== undefined) {
    const span = await idSpan(database, query)
    if (span === undefined) return undefined
    const ids = withinIds(span)
    conditions.push(...ids.conditions)
    Object.assign(replacements, ids.values)
  }
  // Each value is one condition, but for what partial indexes and names ask beside them.
  const met = metOf(query, asked, owners === undefined || !('username' in replacements))
  const pairs = await pairFilter(database, asked)
  conditions.push(...pairs.conditions)
  Object.assign(replacements, pairs.values)
  const chosen = await chooseIndex(database, conditions, replacements)
  return {
    where: chosen.length === 0 ? '' : `WHERE ${chosen.join(' AND ')}`,
    replacements,
    isOfPieces: pairs.conditions.length > 0,
    ...(met === undefined ? {} : { met }),
  }
}

/** Rows of one token or name are found by the index on user and id. @returns whose they are, where that is said; of nobody, nothing can match */
async function addOwner(
  database: DatabaseService,
  query: UsageLogQuery,
  { conditions, replacements }: { conditions: string[]; replacements: Record<string, unknown> },
): Promise<readonly number[] | undefined> {
  if (query.username !== undefined) {
    const owners = await ownersOfName(database, query.username)
    if (owners.ids.length === 0) return []
    conditions.push(owners.ids.length === 1 ? 'user_id = :owners' : 'user_id IN (:owners)')
    replacements.owners = owners.ids
    if (owners.haveOthers) {
      conditions.push('username = :username')
      replacements.username = query.username
    }
    return owners.ids
  }
  if (query.tokenId !== undefined && query.userId === undefined) {
    const token = await tokens(database).findByPk(query.tokenId, { attributes: ['user_id'] })
    if (token !== null) {
      conditions.push('user_id = :owner')
      replacements.owner = token.get().user_id
      return [token.get().user_id]
    }
  }
  return undefined
}

/**
 * Who has the name, and whoever had it once: the log keeps the name of its time, and its rows are found by the index on user and id.
 * `haveOthers`: their rows have other names, too.
 */
async function ownersOfName(
  database: DatabaseService,
  username: string,
): Promise<{ ids: number[]; haveOthers: boolean }> {
  const summed = await lastSummed(database)
  // Those of the log twice, rather than a UNION: SQLite would walk all of the log in the order of users for it.
  const owners = await database.select<{ user_id: number }>(
    `SELECT id AS user_id FROM users WHERE username = :username
     UNION ALL SELECT user_id FROM log_users WHERE username = :username
     UNION ALL SELECT user_id FROM logs WHERE id > :summed AND username = :username`,
    { username, summed },
  )
  const ids = [...new Set(owners.map(({ user_id }) => user_id))]
  const others = await database.select(
    `SELECT 1 AS "row" FROM log_users WHERE user_id IN (:ids) AND username <> :username
     UNION ALL SELECT 1 FROM users WHERE id IN (:ids) AND username <> :username
     UNION ALL SELECT 1 FROM logs WHERE id > :summed AND user_id IN (:ids) AND username <> :username LIMIT 1`,
    { ids, username, summed },
  )
  return { ids, haveOthers: others.length > 0 }
}

/**
 * The names that a pattern means: `%` stands for any text, it is the only wildcard, and case does not count. Undefined: any row, without a name
 * as well. `areAll`: whatever has a name.
 */
async function modelNames(
  database: DatabaseService,
  pattern: string,
): Promise<{ names?: string[]; areAll?: boolean }> {
  if (/^%+$/.test(pattern)) return {}
  const rows = plainRows(await logModels(database).findAll())
  const names = rows.map(({ name }) => name).filter(matcherOf(pattern))
  if (!pattern.includes('%') && !names.includes(pattern)) names.push(pattern)
  return { names, areAll: pattern.includes('%') && names.length === rows.length }
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
