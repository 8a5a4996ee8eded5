import type { TransactionStatements } from '../../contract/services.ts'
import { type BatchCall, BatchError } from '../database.ts'
import { isAway, named } from '../database-errors.ts'
import { besideOthers } from './foreign-lock.ts'
import { bindNamed, type Statement } from '../named-values.ts'
import { LONGEST_PAUSE_MS, TransactionTimeout } from '../transaction-timeout.ts'
import type { SqliteConnection, SqlitePrepared } from './driver.ts'
import { insideTransaction, refuseInsideTransaction } from '../inside-transaction.ts'
import type { WriteGate, WriteLane } from './write-gate.ts'

/** The one connection for group commits and brief transactions. It takes the gate once for each of them. */
export class SqliteWriter {
  readonly #connection: SqliteConnection
  readonly #gate: WriteGate
  readonly #place: () => Error | undefined
  readonly #prepared = new Map<string, SqlitePrepared>()

  /** @param place gives the error of a write whose file is no longer there */
  constructor(connection: SqliteConnection, gate: WriteGate, place: () => Error | undefined) {
    this.#connection = connection
    this.#gate = gate
    this.#place = place
  }

  /** A call without further statements is its own transaction and takes one trip to the driver's threads, a third of the
   *  time of BEGIN, statements and COMMIT. */
  async batch(statements: readonly Statement[], call?: BatchCall): Promise<void> {
    try {
      await this.#inTurn('call', async () => {
        if (call === undefined || statements.length > 0) return this.#together(statements, call)
        await besideOthers(this.#gate.lockMs, () => this.#call(call))
      })
    } catch (cause) {
      const code = (cause as { code?: string }).code ?? 'SQLITE_ERROR'
      const isTransient = code === 'SQLITE_BUSY' || code === 'SQLITE_LOCKED' || isAway(cause)
      throw new BatchError(cause, { code, isTransient, isUnknown: false })
    }
  }

  async brief<T>(
    lane: WriteLane,
    work: (statements: TransactionStatements) => Promise<T>,
  ): Promise<T> {
    refuseInsideTransaction('BEGIN')
    const transaction = async () => {
      await this.#begin()
      const timeout = new TransactionTimeout('a transaction', { pauseMs: LONGEST_PAUSE_MS })
      const statements: TransactionStatements = {
        dialect: 'sqlite',
        select: (sql, values) => timeout.statement(() => select(this.#connection, { sql, values })),
        run: (sql, values) => timeout.statement(() => this.#run({ sql, values })),
      }
      const result = await timeout.run(() => insideTransaction(() => work(statements)))
      await execute(this.#connection, 'COMMIT')
      return result
    }
    return this.#inTurn(lane, transaction).catch((error: unknown) => {
      throw named(error)
    })
  }

  async onSession(statements: readonly Statement[]): Promise<void> {
    await this.#gate.take()
    try {
      for (const statement of statements) await this.#run(statement)
    } finally {
      this.#gate.free()
    }
  }

  async close(): Promise<void> {
    for (const prepared of this.#prepared.values()) prepared.finalize()
    this.#prepared.clear()
    await new Promise<void>((resolve) => this.#connection.close(() => resolve()))
  }

  /** Has the gate for a write, of which nothing is left if it fails. */
  async #inTurn<T>(lane: WriteLane, write: () => Promise<T>): Promise<T> {
    await this.#gate.take(lane)
    let fault: unknown
    try {
      this.#checkPlace()
      return await write()
    } catch (error) {
      fault = error
      // Without an open transaction ROLLBACK fails, which does not matter.
      await execute(this.#connection, 'ROLLBACK').catch(() => undefined)
      throw error
    } finally {
      this.#gate.free(fault)
    }
  }

  #begin(): Promise<void> {
    return besideOthers(this.#gate.lockMs, () => execute(this.#connection, 'BEGIN IMMEDIATE'))
  }

  /** @throws SQLITE_READONLY_DBMOVED */
  #checkPlace(): void {
    const fault = this.#place()
    if (fault) throw fault
  }

  async #together(statements: readonly Statement[], call: BatchCall | undefined): Promise<void> {
    await this.#begin()
    if (call !== undefined) await this.#call(call)
    for (const statement of statements) await this.#run(statement)
    await execute(this.#connection, 'COMMIT')
  }

  async #call({ sql, values }: BatchCall): Promise<void> {
    const prepared = this.#prepared.get(sql) ?? (await this.#prepare(sql))
    await new Promise<void>((resolve, reject) => {
      prepared.run(values, (error) => (error === null ? resolve() : reject(error)))
    })
  }

  async #prepare(sql: string): Promise<SqlitePrepared> {
    const prepared = await new Promise<SqlitePrepared>((resolve, reject) => {
      const made = this.#connection.prepare(sql, (error) =>
        error === null ? resolve(made) : reject(error),
      )
    })
    this.#prepared.set(sql, prepared)
    return prepared
  }

  /** @returns the number of rows changed */
  #run(statement: Statement): Promise<number> {
    const { sql, bound } = bindNamed(statement, () => '?')
    return new Promise((resolve, reject) => {
      this.#connection.run(sql, bound, function (this: unknown, error) {
        if (error === null) resolve((this as { changes: number }).changes)
        else reject(error)
      })
    })
  }
}

function select<T extends object>(
  connection: SqliteConnection,
  statement: Statement,
): Promise<T[]> {
  const { sql, bound } = bindNamed(statement, () => '?')
  return new Promise((resolve, reject) => {
    connection.all(sql, bound, (error, rows = []) =>
      error === null ? resolve(rows as T[]) : reject(error),
    )
  })
}

/** Runs the statements of a text that binds nothing. */
export function execute(connection: SqliteConnection, sql: string): Promise<void> {
  return new Promise((resolve, reject) => {
    connection.exec(sql, (error) => (error === null ? resolve() : reject(error)))
  })
}
