import { AppError, errorType } from '../contract/errors.ts'

/** What a call gets while the database cannot be read or written. */
export const databaseAway = errorType(
  'server.database_away',
  503,
  {
    en: 'The database does not answer or cannot write at the moment. Try again in a few seconds.',
    zh: '数据库暂时无响应或无法写入，请几秒后重试。',
  },
  { relay: 'database_away' },
)

/** For clients, in seconds. */
export const retryHeader = { 'retry-after': '5' } as const

/** SQLite's result codes for a disk that is full or fails (sqlite.org/rescode.html). */
const sqliteAway = /^SQLITE_(?:FULL|IOERR|CANTOPEN|READONLY|NOMEM)/
/** SQLSTATE: connection, resources, operator intervention; and Node's codes for a lost connection. */
const postgresAway =
  /^(?:08|53|57P|25006$|25P03$|ECONN|EPIPE|ENOTFOUND|ETIMEDOUT|EHOSTUNREACH|EAI_)/
const sequelizeAway =
  /^Sequelize(?:Connection|HostNotFound|HostNotReachable|InvalidConnection|AccessDenied)/
const lostConnection =
  /^(?:Connection terminated|Client has encountered a connection error|timeout expired)/
const deepestCause = 5

/** True for faults of the database itself, which the same statement may survive later; false for those of a statement. */
export function isAway(error: unknown): boolean {
  let current = error
  for (let depth = 0; depth < deepestCause && current instanceof Error; depth += 1) {
    const { code, name, message, cause, parent } = current as Error & {
      code?: unknown
      parent?: unknown
    }
    const isCode = typeof code === 'string' && (sqliteAway.test(code) || postgresAway.test(code))
    if (isCode || sequelizeAway.test(name) || lostConnection.test(message)) return true
    current = cause ?? parent
  }
  return false
}

/** The error to throw on: 503 for what is not the statement's fault. */
export function named(error: unknown): unknown {
  if (error instanceof AppError || !isAway(error)) return error
  return databaseAway({}, { cause: error, headers: retryHeader })
}
