// Node's own SQLite with the interface of the package `sqlite3`, for machines on which that could not be built.
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import type { SqliteCallback, SqliteConnection, SqliteDriver, SqlitePrepared } from './driver.ts'

/** SQLite's primary result codes as `sqlite3` names them (sqlite.org/rescode.html). */
const codeNames: Readonly<Record<number, string>> = {
  5: 'SQLITE_BUSY',
  6: 'SQLITE_LOCKED',
  7: 'SQLITE_NOMEM',
  8: 'SQLITE_READONLY',
  10: 'SQLITE_IOERR',
  13: 'SQLITE_FULL',
  14: 'SQLITE_CANTOPEN',
  19: 'SQLITE_CONSTRAINT',
}

/** Sequelize checks `this.constructor.name === 'Statement'` in the callback. */
class Statement {
  lastID = 0
  changes = 0
}

class NodeSqliteDatabase implements SqliteConnection {
  readonly filename: string
  readonly #database: DatabaseSync

  constructor(file: string, _mode: number, callback?: (error: Error | null) => void) {
    this.filename = file
    this.#database = new DatabaseSync(file)
    if (callback !== undefined) queueMicrotask(() => callback(null))
  }

  run(sql: string, parameters?: unknown, callback?: SqliteCallback): this {
    return this.#execute(callback, (result) => {
      const done = this.#database.prepare(sql).run(...bound(parameters))
      result.changes = Number(done.changes)
      result.lastID = Number(done.lastInsertRowid)
    })
  }

  all(sql: string, parameters?: unknown, callback?: SqliteCallback): this {
    return this.#execute(callback, () => this.#database.prepare(sql).all(...bound(parameters)))
  }

  exec(sql: string, callback?: (error: Error | null) => void): this {
    try {
      this.#database.exec(sql)
      if (callback !== undefined) queueMicrotask(() => callback(null))
    } catch (error) {
      const named = withCode(error)
      if (callback === undefined) throw named
      queueMicrotask(() => callback(named))
    }
    return this
  }

  prepare(sql: string, callback: (error: Error | null) => void): SqlitePrepared {
    const prepared = this.#prepared(sql)
    queueMicrotask(() => callback(prepared.error))
    return {
      run: (values, ended) => {
        let error = prepared.error
        try {
          prepared.statement?.run(...values.map(toSqlite))
        } catch (thrown) {
          error = withCode(thrown)
        }
        queueMicrotask(() => ended(error))
      },
      // There is nothing to free before the connection closes.
      finalize: () => undefined,
    }
  }

  #prepared(sql: string): { statement?: StatementSync; error: Error | null } {
    try {
      return { statement: this.#database.prepare(sql), error: null }
    } catch (error) {
      return { error: withCode(error) }
    }
  }

  close(callback?: (error: Error | null) => void): void {
    if (this.#database.isOpen) this.#database.close()
    if (callback !== undefined) queueMicrotask(() => callback(null))
  }

  serialize(callback?: () => void): void {
    callback?.()
  }

  #execute(
    callback: SqliteCallback | undefined,
    work: (result: Statement) => unknown[] | void,
  ): this {
    const result = new Statement()
    try {
      const rows = work(result) ?? undefined
      queueMicrotask(() => callback?.call(result, null, rows))
    } catch (error) {
      queueMicrotask(() => callback?.call(result, withCode(error)))
    }
    return this
  }
}

/** Positional values unchanged; named ones as the object that node:sqlite expects first. */
function bound(parameters: unknown): SQLInputValue[] {
  if (Array.isArray(parameters)) return parameters.map(toSqlite)
  const named = Object.entries(parameters ?? {}).map(([name, value]) => [name, toSqlite(value)])
  return named.length === 0 ? [] : [Object.fromEntries(named)]
}

function toSqlite(value: unknown): SQLInputValue {
  if (value === undefined) return null
  if (typeof value === 'boolean') return value ? 1 : 0
  return value as SQLInputValue
}

function withCode(error: unknown): Error {
  const { errcode, message } = error as { errcode?: number; message: string }
  const code = codeNames[(errcode ?? 0) & 0xff] ?? 'SQLITE_ERROR'
  return Object.assign(new Error(`${code}: ${message}`, { cause: error }), { code })
}

export const nodeSqlite: SqliteDriver = {
  Database: NodeSqliteDatabase,
  OPEN_READWRITE: 2,
  OPEN_CREATE: 4,
}
