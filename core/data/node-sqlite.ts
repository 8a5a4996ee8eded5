// Node's own SQLite behind the interface of the package `sqlite3`, for machines where that could not be built.
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import type { SqliteCallback, SqliteConnection, SqliteDriver } from './sqlite-driver.ts'

/** SQLite's primary result codes as `sqlite3` names them (sqlite.org/rescode.html). */
const codeNames: Readonly<Record<number, string>> = {
  5: 'SQLITE_BUSY',
  6: 'SQLITE_LOCKED',
  10: 'SQLITE_IOERR',
  13: 'SQLITE_FULL',
  19: 'SQLITE_CONSTRAINT',
}

/** Sequelize asks for `this.constructor.name === 'Statement'` in the callback. */
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
    return this.#execute(sql, callback, (prepared, statement) => {
      const { changes, lastInsertRowid } = bind(parameters, prepared, 'run')
      statement.changes = Number(changes)
      statement.lastID = Number(lastInsertRowid)
      return undefined
    })
  }

  all(sql: string, parameters?: unknown, callback?: SqliteCallback): this {
    return this.#execute(sql, callback, (prepared) => bind(parameters, prepared, 'all'))
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

  close(callback?: (error: Error | null) => void): void {
    if (this.#database.isOpen) this.#database.close()
    if (callback !== undefined) queueMicrotask(() => callback(null))
  }

  serialize(callback?: () => void): void {
    callback?.()
  }

  #execute(
    sql: string,
    callback: SqliteCallback = () => undefined,
    work: (prepared: StatementSync, statement: Statement) => unknown[] | undefined,
  ): this {
    const statement = new Statement()
    try {
      const rows = work(this.#database.prepare(sql), statement)
      queueMicrotask(() => callback.call(statement, null, rows))
    } catch (error) {
      queueMicrotask(() => callback.call(statement, withCode(error)))
    }
    return this
  }
}

function bind<M extends 'run' | 'all'>(
  parameters: unknown,
  prepared: StatementSync,
  method: M,
): ReturnType<StatementSync[M]> {
  const call = prepared[method].bind(prepared) as (
    ...values: unknown[]
  ) => ReturnType<StatementSync[M]>
  if (Array.isArray(parameters)) return call(...parameters.map(toSqlite))
  const named = Object.entries(parameters ?? {}).map(([name, value]) => [name, toSqlite(value)])
  return named.length === 0 ? call() : call(Object.fromEntries(named))
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
