import { AppError, errorType } from '../contract/errors.ts'

/** The answer to a call while the database cannot be read or written. */
export const databaseAway = errorType(
  'server.database_away',
  503,
  {
    en: 'The database does not answer or cannot write at the moment. Try again in a few seconds.',
    zh: '数据库暂时无响应或无法写入，请几秒后重试。',
  },
  { relay: 'database_away' },
)

/** The answer while the database works, but a lock, a statement or a commit has taken too long. */
export const databaseSlow = errorType(
  'server.database_slow',
  503,
  {
    en: 'The gateway waited for its database for too long. Try again in a few seconds.',
    zh: '网关等待数据库的时间过长，请几秒后重试。',
  },
  { relay: 'database_slow' },
)

/** In seconds. */
export const retryHeader = { 'retry-after': '5' } as const

/** SQLite's result codes for a disk that is full or fails (sqlite.org/rescode.html). */
const sqliteAway = /^SQLITE_(?:FULL|IOERR|CANTOPEN|READONLY|NOMEM)/
/** SQLSTATE: connection, resources, operator intervention; and Node's codes for a lost connection. */
const postgresAway =
  /^(?:08|53|57P|25006$|25P03$|ECONN|EPIPE|ENOTFOUND|ETIMEDOUT|EHOSTUNREACH|EAI_)/
/** SQLITE_BUSY, and SQLSTATE: serialization, deadlock, lock_timeout, statement_timeout or an admin who cancelled it. */
const givenUp = /^(?:SQLITE_BUSY|40001$|40P01$|55P03$|57014$)/
const sequelizeAway =
  /^Sequelize(?:Connection|HostNotFound|HostNotReachable|InvalidConnection|AccessDenied)/
const lostConnection =
  /^(?:Connection terminated|Client has encountered a connection error|timeout expired)/
const deepestCause = 5

/** True for faults of the database itself, after which the same statement may succeed later; false for faults of the statement. */
export function isAway(error: unknown): boolean {
  return hasCause(error, ({ code, name, message }) => {
    const isCode = sqliteAway.test(code) || postgresAway.test(code)
    return isCode || sequelizeAway.test(name) || lostConnection.test(message)
  })
}

/** True for all after which the same statement may succeed later: the above, and what the database has given up for a lock or a time-out. */
export function isPassing(error: unknown): boolean {
  return isAway(error) || hasCause(error, ({ code }) => givenUp.test(code))
}

/** The error to throw on: 503 for what is not the statement's fault. */
export function named(error: unknown): unknown {
  if (error instanceof AppError || !isPassing(error)) return error
  const extras = { cause: error, headers: retryHeader }
  return isAway(error) ? databaseAway({}, extras) : databaseSlow({}, extras)
}

interface Traits {
  code: string
  name: string
  message: string
}

/** The error itself among them. */
export function hasCause(error: unknown, isMeant: (traits: Traits) => boolean): boolean {
  let current = error
  for (let depth = 0; depth < deepestCause && current instanceof Error; depth += 1) {
    const { code, name, message, cause, parent } = current as Error & {
      code?: unknown
      parent?: unknown
    }
    if (isMeant({ code: typeof code === 'string' ? code : '', name, message })) return true
    current = cause ?? parent
  }
  return false
}
