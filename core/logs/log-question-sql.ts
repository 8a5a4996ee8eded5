// What a question to the log asks for. Names are those of people and models at the time of their calls: they are looked up once, for its page, its
// total and its sum.
import type { DatabaseService } from '../contract/services.ts'
import type { UsageLogQuery } from '../contract/money-services.ts'
import { plainRows } from '../data/models/define-model.ts'
import { logModels } from '../data/models/log.ts'
import { tokens } from '../data/models/token.ts'
import { lastSummed } from './log-quarters-sql.ts'

/** Beside a type and a span of time. */
export interface Asked {
  /** Of a name, all who have or had it. */
  users?: readonly number[]
  /** A name that is asked for, where rows of these users have others, too. */
  name?: string
  /** Each by its name; `areAll`: whatever has one. */
  models?: readonly string[]
  areAll?: boolean
  channel?: number
  group?: string
  token?: string
  tokenId?: number
}

/** @returns undefined when nothing can match */
export async function askedOf(
  database: DatabaseService,
  query: UsageLogQuery,
): Promise<Asked | undefined> {
  const owners = await ownersOf(database, query)
  if (owners.users?.length === 0) return undefined
  const models = query.modelName === undefined ? {} : await modelsOf(database, query.modelName)
  if (models.models?.length === 0) return undefined
  const { channelId: channel, group, tokenName: token, tokenId } = query
  return {
    ...owners,
    ...models,
    ...(channel === undefined ? {} : { channel }),
    ...(group === undefined ? {} : { group }),
    ...(token === undefined ? {} : { token }),
    ...(tokenId === undefined ? {} : { tokenId }),
  }
}

/** Rows of one token or name are found by the index on user and id. */
async function ownersOf(
  database: DatabaseService,
  { userId, username, tokenId }: UsageLogQuery,
): Promise<Pick<Asked, 'users' | 'name'>> {
  if (username !== undefined) {
    const { ids, haveOthers } = await ownersOfName(database, username)
    const users = userId === undefined ? ids : ids.filter((id) => id === userId)
    return { users, ...(haveOthers ? { name: username } : {}) }
  }
  if (userId !== undefined) return { users: [userId] }
  if (tokenId === undefined) return {}
  const token = await tokens(database).findByPk(tokenId, { attributes: ['user_id'] })
  return token === null ? {} : { users: [token.get().user_id] }
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
async function modelsOf(
  database: DatabaseService,
  pattern: string,
): Promise<Pick<Asked, 'models' | 'areAll'>> {
  if (/^%+$/.test(pattern)) return {}
  const rows = plainRows(await logModels(database).findAll())
  const models = rows.map(({ name }) => name).filter(matcherOf(pattern))
  if (!pattern.includes('%') && !models.includes(pattern)) models.push(pattern)
  const areAll = pattern.includes('%') && models.length === rows.length
  return { models, ...(areAll ? { areAll } : {}) }
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
