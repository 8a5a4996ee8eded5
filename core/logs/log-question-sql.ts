// Turns a query into the question that the log is asked. Names in the log are those of the time of the call; they are
// looked up once for the page, its total and its sum.
import type { DatabaseService } from '../contract/services.ts'
import type { UsageLogQuery } from '../contract/money-services.ts'
import { tokens } from '../data/models/token.ts'
import { lastSummed } from './log-quarters-sql.ts'

/** A question without its type and span of time. */
export interface LogQuestion {
  /** For a name: all users who have or had it. */
  users?: readonly number[]
  /** The name, if the rows of these users have other names too. */
  name?: string
  /** The names that match. `areAll`: the pattern matches every name. */
  models?: readonly string[]
  areAll?: boolean
  /** The names that do not match, where they are fewer than those that do. */
  leftOut?: readonly string[]
  channel?: number
  group?: string
  token?: string
  tokenId?: number
}

/** @returns undefined if nothing can match */
export async function questionOf(
  database: DatabaseService,
  query: UsageLogQuery,
): Promise<LogQuestion | undefined> {
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

/** The users whose rows can match: by a token or a name, rows are found through the index on user and id. */
async function ownersOf(
  database: DatabaseService,
  { userId, username, tokenId }: UsageLogQuery,
): Promise<Pick<LogQuestion, 'users' | 'name'>> {
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

/** The users who have the name or had it once: a log row keeps the name of its time. `haveOthers`: their rows have other names too. */
async function ownersOfName(
  database: DatabaseService,
  username: string,
): Promise<{ ids: number[]; haveOthers: boolean }> {
  const summed = await lastSummed(database)
  // UNION ALL with duplicates instead of a UNION, for which SQLite would walk the whole log in the order of users.
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

/** The models that a pattern matches. `%` stands for any text and is the only wildcard; case does not count. Undefined:
 *  any row, even without a model. `areAll`: every row that has a model. */
async function modelsOf(
  database: DatabaseService,
  pattern: string,
): Promise<Pick<LogQuestion, 'models' | 'areAll' | 'leftOut'>> {
  if (/^%+$/.test(pattern)) return {}
  // The distinct names of the log: thousands, against which patterns are matched instead of all rows.
  const rows = await database.select<{ name: string }>('SELECT name FROM log_models')
  const isMatch = matcherOf(pattern)
  const models = rows.map(({ name }) => name).filter(isMatch)
  if (!pattern.includes('%') && !models.includes(pattern)) models.push(pattern)
  if (!pattern.includes('%') || models.length * 2 <= rows.length) return { models }
  const leftOut = rows.map(({ name }) => name).filter((name) => !isMatch(name))
  return { models, leftOut, ...(leftOut.length === 0 ? { areAll: true } : {}) }
}

/** Compares piece by piece, because a regular expression with many `%` could take exponential time. */
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
