import { besideOthers, SQLITE_WAIT_MS } from './foreign-lock.ts'
import { beginsTransaction, endsTransaction, isRead } from '../statement-kind.ts'
import type { WriteGate } from './write-gate.ts'
import { refuseInsideTransaction } from '../inside-transaction.ts'

export type SqliteCallback = (this: unknown, error: Error | null, rows?: unknown[]) => void

/** The part of a connection of the `sqlite3` package that Sequelize and the ledger use. */
export interface SqliteConnection {
  run(sql: string, parameters?: unknown, callback?: SqliteCallback): unknown
  all(sql: string, parameters?: unknown, callback?: SqliteCallback): unknown
  exec(sql: string, callback?: (error: Error | null) => void): unknown
  /** The callback comes before the first run; its error says why there can be none. */
  prepare(sql: string, callback: (error: Error | null) => void): SqlitePrepared
  close(callback?: (error: Error | null) => void): void
  serialize(callback?: () => void): void
}

export interface SqlitePrepared {
  run(values: readonly unknown[], callback: (error: Error | null) => void): unknown
  finalize(): unknown
}

export type SqliteConnectionClass = new (
  file: string,
  mode: number,
  callback?: (error: Error | null) => void,
) => SqliteConnection

/** A `dialectModule` for Sequelize: the package `sqlite3`, or its replacement. */
export interface SqliteDriver {
  Database: SqliteConnectionClass
  OPEN_READWRITE: number
  OPEN_CREATE: number
}

/** Set on each connection; journal_mode=WAL is a property of the file and set once. The cache is in KiB. With FULL, commits survive a power cut. The ledger's own connection uses NORMAL (`database.ts`). */
export const connectionPragmas = `PRAGMA busy_timeout = ${SQLITE_WAIT_MS}; PRAGMA synchronous = FULL; PRAGMA cache_size = -16000;`

/** The name under which Sequelize passes on values that are bound by place; it writes a `$` before it. */
export const BY_PLACE = 'places'

function placed(parameters: unknown): unknown {
  const isList = typeof parameters === 'object' && parameters !== null && '$places' in parameters
  return isList ? parameters.$places : (parameters ?? [])
}

/** Where Sequelize asks for the columns of a table, it passes the callback in place of the parameters. */
function readRest([parameters, callback]: [unknown?, SqliteCallback?]) {
  if (typeof parameters !== 'function') return { parameters: placed(parameters), callback }
  const given: SqliteCallback = (error, rows) => void parameters(error, rows)
  return { parameters: [], callback: given }
}

/** What a statement came to: the driver's `this`, from which Sequelize reads lastID and changes, and the rows. */
function outcomeOf(execute: Execute): Promise<{ statement: unknown; rows: unknown[] | undefined }> {
  return new Promise((resolve, reject) => {
    execute(function (error, rows) {
      if (error === null) resolve({ statement: this, rows })
      else reject(error)
    })
  })
}

/** If the end of a transaction fails, e.g. because the disk is full, the transaction may stay open, and Sequelize forgets
 *  the connection without closing it. `abandon` then ends it, so that nobody waits for it. */
function whenEnded(
  callback: SqliteCallback,
  end: () => void,
  abandon: (done: () => void) => void,
): SqliteCallback {
  return function (error, rows) {
    const finish = () => {
      end()
      callback.call(this, error, rows)
    }
    if (error === null) finish()
    else abandon(finish)
  }
}

type Execute = (callback: SqliteCallback) => void

/** The turns of one connection at the gate. */
class WriteTurns {
  readonly #gate: WriteGate
  readonly #place: () => Error | undefined
  isInTransaction = false

  constructor(gate: WriteGate, place: () => Error | undefined) {
    this.#gate = gate
    this.#place = place
  }

  /** @param abandon ends a transaction whose own end has failed */
  take(
    sql: string,
    callback: SqliteCallback,
    execute: Execute,
    abandon: (done: () => void) => void,
  ) {
    if (this.isInTransaction) {
      if (!endsTransaction(sql)) return execute(callback)
      return execute(whenEnded(callback, () => this.end(), abandon))
    }
    const fault = this.#place()
    if (fault) return callback.call(this, fault)
    this.#gate.take().then(
      () => this.#begin(sql, callback, execute),
      (error: Error) => callback.call(this, error),
    )
  }

  #begin(sql: string, callback: SqliteCallback, execute: Execute): void {
    besideOthers(this.#gate.lockMs, () => outcomeOf(execute)).then(
      ({ statement, rows }) => {
        if (beginsTransaction(sql)) this.isInTransaction = true
        else this.#gate.free()
        callback.call(statement, null, rows)
      },
      (error: Error) => {
        this.#gate.free(error)
        callback.call(this, error)
      },
    )
  }

  end(): void {
    if (!this.isInTransaction) return
    this.isInTransaction = false
    this.#gate.free()
  }
}

/** The driver with every write behind the gate. BEGIN takes the gate; COMMIT, ROLLBACK or the end of the connection frees
 *  it; a single write takes it for itself. None begins where `place` gives an error. */
export function gatedDriver(
  driver: SqliteDriver,
  gate: WriteGate,
  place: () => Error | undefined,
): SqliteDriver {
  class GatedDatabase extends driver.Database {
    readonly #turns = new WriteTurns(gate, place)
    #isClosed = false

    constructor(file: string, mode: number, callback?: (error: Error | null) => void) {
      super(file, mode, (error) => {
        // The package would never call back to say that such a connection is closed.
        if (error !== null) this.#isClosed = true
        callback?.(error)
      })
      super.exec(connectionPragmas, () => undefined)
    }

    override run(sql: string, parameters?: unknown, callback?: SqliteCallback): this {
      this.#inTurn(sql, callback, (done) => super.run(sql, placed(parameters), done))
      return this
    }

    override all(sql: string, ...rest: [parameters?: unknown, callback?: SqliteCallback]): this {
      const { parameters, callback } = readRest(rest)
      this.#inTurn(sql, callback, (done) => super.all(sql, parameters, done))
      return this
    }

    override close(callback?: (error: Error | null) => void): void {
      if (this.#isClosed) return callback?.(null)
      this.#isClosed = true
      super.close((error) => {
        this.#turns.end()
        callback?.(error)
      })
    }

    #inTurn(sql: string, callback: SqliteCallback = () => undefined, execute: Execute): void {
      if (isRead(sql)) return execute(callback)
      try {
        if (!this.#turns.isInTransaction) refuseInsideTransaction(sql)
      } catch (error) {
        return callback.call(this, error as Error)
      }
      const abandon = (done: () => void) => super.exec('ROLLBACK', () => this.close(done))
      this.#turns.take(sql, callback, execute, abandon)
    }
  }
  const { OPEN_READWRITE, OPEN_CREATE } = driver
  return { Database: GatedDatabase, OPEN_READWRITE, OPEN_CREATE }
}

/** The package's types have many overloads; only one form of each is used here. */
function isDriver(module: unknown): module is SqliteDriver {
  return (
    typeof module === 'object' &&
    module !== null &&
    'Database' in module &&
    typeof module.Database === 'function'
  )
}

/** The package `sqlite3` where it could be built, else Node's own SQLite behind the same interface. */
export async function loadSqliteDriver(
  wanted: 'sqlite3' | 'node:sqlite' | undefined,
): Promise<{ name: 'sqlite3' | 'node:sqlite'; driver: SqliteDriver; cause?: unknown }> {
  if (wanted !== 'node:sqlite') {
    try {
      const { default: driver }: { default: unknown } = await import('sqlite3')
      if (!isDriver(driver)) throw new TypeError('sqlite3 is no driver as it was')
      return { name: 'sqlite3', driver }
    } catch (cause) {
      if (wanted === 'sqlite3') throw cause
      const { nodeSqlite } = await import('./node-driver.ts')
      return { name: 'node:sqlite', driver: nodeSqlite, cause }
    }
  }
  const { nodeSqlite } = await import('./node-driver.ts')
  return { name: 'node:sqlite', driver: nodeSqlite }
}
