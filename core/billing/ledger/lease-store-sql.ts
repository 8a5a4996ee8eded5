import type { Transaction } from 'sequelize'
import type { TransactionStatements } from '../../contract/services.ts'
import type { Database } from '../../data/database.ts'
import { rowsFrom, type Statement } from '../../data/named-values.ts'
import { rowLock } from '../../data/row-lock-sql.ts'
import { type LogAudience, publishedRow } from './ledger-batch.ts'
import { writeSessionsOf } from './open-sessions-sql.ts'

export type LeaseKind = 'user' | 'token'

export interface Growth {
  kind: LeaseKind
  id: number
  /** Called while the balance is locked: with the units of it that nobody has leased, with all of its units, and with
   *  those that this node has leased without knowing. */
  decide(available: number, balance: number, found: number): void
  /** True if there may be units of which this node does not know. */
  isUncertain: boolean
  /** The units that this node knows of. */
  known(): number
  /** How many waiting calls were counted. */
  waiterCount: number
  granted: number
  /** False if the balance could not provide all that was needed. */
  isEnough: boolean
}

interface LeaseRow {
  kind: LeaseKind
  subject_id: number
  units: number
}

const tables: Readonly<Record<LeaseKind, { table: string; balance: string }>> = {
  user: { table: 'users', balance: 'quota' },
  token: { table: 'tokens', balance: 'remain_quota' },
}
const kinds: readonly LeaseKind[] = ['user', 'token']
const leaseColumns = { kind: 'text', subject_id: 'bigint', units: 'bigint' } as const

/** Stores leases. `users.leased` and `tokens.leased` are the sums of all nodes' rows in `leases`. Locks are taken in
 *  the same order everywhere: users, tokens, channels, leases. */
export class LeaseStore {
  readonly #database: Database
  readonly #audience: LogAudience | undefined
  readonly nodeId: string

  constructor(database: Database, nodeId: string, audience?: LogAudience) {
    this.#audience = audience
    this.#database = database
    this.nodeId = nodeId
  }

  /** Whether other nodes may lease of the same balances: an SQLite file has one process. */
  get isShared(): boolean {
    return this.#database.dialect === 'postgres'
  }

  async grow(growths: readonly Growth[]): Promise<void> {
    await this.#database.brief(async (statements) => {
      for (const kind of kinds) await this.#decide(kind, growths, statements)
      const rows = growths
        .filter(({ granted }) => granted > 0)
        .map(({ kind, id, granted }) => ({ kind, subject_id: id, units: granted }))
      if (rows.length === 0) return
      for (const { sql, values } of this.#addToLeased(rows)) await statements.run(sql, values)
      const { from, values } = rowsFrom(this.#database.dialect, 'lease', leaseColumns, rows)
      await statements.run(
        `INSERT INTO leases (node_id, kind, subject_id, units)
        SELECT :nodeId, lease.kind, lease.subject_id, lease.units FROM ${from} WHERE TRUE
        ON CONFLICT (node_id, kind, subject_id) DO UPDATE SET units = leases.units + excluded.units`,
        { ...values, nodeId: this.nodeId },
      )
    })
  }

  /** Writes a row and removes it, to prove that the database accepts writes. */
  async touch(): Promise<void> {
    const values = { node: this.nodeId }
    await this.#database.brief(async ({ run }) => {
      await run(
        `INSERT INTO leases (node_id, kind, subject_id, units) VALUES (:node, 'probe', 0, 0)`,
        values,
      )
      await run(`DELETE FROM leases WHERE node_id = :node AND kind = 'probe'`, values)
    })
  }

  async #decide(
    kind: LeaseKind,
    growths: readonly Growth[],
    statements: TransactionStatements,
  ): Promise<void> {
    const wanted = growths.filter((growth) => growth.kind === kind)
    if (wanted.length === 0) return
    const { table, balance } = tables[kind]
    const rows = await statements.select<{ id: number; available: number; balance: number }>(
      `SELECT id, ${balance} - leased AS available, ${balance} AS balance FROM ${table}
      WHERE id IN (:ids) ORDER BY id ${rowLock(statements)}`,
      { ids: wanted.map(({ id }) => id) },
    )
    const byId = new Map(rows.map((row) => [row.id, row]))
    const found = await this.#unheard(kind, wanted, statements)
    for (const growth of wanted) {
      const { available = 0, balance: units = 0 } = byId.get(growth.id) ?? {}
      growth.decide(Math.max(0, available), units, found.get(growth.id) ?? 0)
    }
  }

  /** Units of growths whose answer was lost. The known units are read first: a charge that is committed in between
   *  makes the row smaller, so the result may be too small, but never too large. */
  async #unheard(
    kind: LeaseKind,
    wanted: readonly Growth[],
    { select }: TransactionStatements,
  ): Promise<ReadonlyMap<number, number>> {
    const uncertain = wanted.filter(({ isUncertain }) => isUncertain)
    if (uncertain.length === 0) return new Map()
    const known = new Map(uncertain.map((growth) => [growth.id, growth.known()]))
    const rows = await select<{ subject_id: number; units: number }>(
      `SELECT subject_id, units FROM leases
      WHERE node_id = :nodeId AND kind = :kind AND subject_id IN (:ids)`,
      { nodeId: this.nodeId, kind, ids: [...known.keys()] },
    )
    return new Map(
      rows.map(({ subject_id: id, units }) => [id, Math.max(0, units - (known.get(id) ?? 0))]),
    )
  }

  /** Returns whole leases of this node. */
  async giveBack(leases: readonly { kind: LeaseKind; id: number }[]): Promise<void> {
    if (leases.length === 0) return
    await this.#database.transaction(async (transaction) => {
      for (const kind of kinds) {
        const ids = leases.filter((lease) => lease.kind === kind).map(({ id }) => id)
        if (ids.length === 0) continue
        await this.lock(kind, ids, transaction)
        await this.#removeRows(
          'node_id = :nodeId AND kind = :kind AND subject_id IN (:ids)',
          { nodeId: this.nodeId, kind, ids },
          transaction,
        )
      }
    })
  }

  /** Returns units that left the book. A payment that is repeated under the same number counts once. */
  async shrinkAll(
    debts: readonly { kind: LeaseKind; id: number; units: number }[],
    number: number,
  ): Promise<void> {
    await this.#database.transaction(async (transaction) => {
      if (!(await this.#note(number, transaction))) return
      for (const kind of kinds) {
        const ofKind = debts.filter((debt) => debt.kind === kind)
        if (ofKind.length > 0) {
          const ids = ofKind.map(({ id }) => id)
          await this.lock(kind, ids, transaction)
        }
        for (const { id, units } of ofKind) await this.shrink(kind, id, units, transaction)
      }
    })
  }

  /** Stores the number of a payment.
   *  @returns false if it was stored before */
  async #note(number: number, transaction: Transaction): Promise<boolean> {
    const values = { node: this.nodeId, number }
    const added = await this.#database.run(
      `INSERT INTO leases (node_id, kind, subject_id, units) VALUES (:node, 'payment', :number, 0)
      ON CONFLICT DO NOTHING`,
      values,
      transaction,
    )
    await this.#database.run(
      `DELETE FROM leases WHERE node_id = :node AND kind = 'payment' AND subject_id < :number`,
      values,
      transaction,
    )
    return added === 1
  }

  /** Returns free units that left the book, as part of the caller's transaction. */
  async shrink(
    kind: LeaseKind,
    id: number,
    units: number,
    transaction: Transaction,
  ): Promise<void> {
    if (units === 0) return
    await this.lock(kind, [id], transaction)
    const changed = await this.#database.run(
      `UPDATE leases SET units = units - :units
      WHERE node_id = :nodeId AND kind = :kind AND subject_id = :id AND units >= :units`,
      { units, nodeId: this.nodeId, kind, id },
      transaction,
    )
    // Without the row, the units were returned before.
    if (changed === 1) {
      await this.#runAll(this.#addToLeased([{ kind, subject_id: id, units: -units }]), transaction)
    }
  }

  /** The units in this node's row of a lease beyond those that the node knows of. */
  async unheardOf(
    kind: LeaseKind,
    id: number,
    known: number,
    transaction: Transaction,
  ): Promise<number> {
    const [row] = await this.#database.select<{ units: number }>(
      'SELECT units FROM leases WHERE node_id = :nodeId AND kind = :kind AND subject_id = :id',
      { nodeId: this.nodeId, kind, id },
      transaction,
    )
    return Math.max(0, (row?.units ?? 0) - known)
  }

  /** Returns everything that a node holds, writes the log rows that its realtime sessions still owe, and removes the
   *  node. The number of its last batch stays (ledger-commit.ts). */
  async dissolve(nodeId: string, transaction: Transaction): Promise<void> {
    for (const kind of kinds) {
      const rows = await this.#database.select<{ subject_id: number }>(
        'SELECT subject_id FROM leases WHERE node_id = :nodeId AND kind = :kind',
        { nodeId, kind },
        transaction,
      )
      const ids = rows.map(({ subject_id }) => subject_id)
      if (ids.length > 0) await this.lock(kind, ids, transaction)
    }
    await this.#removeRows(`node_id = :nodeId AND kind <> 'batch'`, { nodeId }, transaction)
    const rows = await writeSessionsOf(this.#database, nodeId, transaction)
    if (rows.length > 0)
      transaction.afterCommit(() => this.#audience?.publish(rows.map(publishedRow)))
    await this.#database.run('DELETE FROM nodes WHERE id = :nodeId', { nodeId }, transaction)
  }

  /** Locks users before tokens and both before leases. Everybody who locks several of them keeps to this order. */
  async lock(kind: LeaseKind, ids: readonly number[], transaction: Transaction): Promise<void> {
    if (this.#database.dialect === 'sqlite') return
    const sql = `SELECT id FROM ${tables[kind].table} WHERE id IN (:ids) ORDER BY id FOR UPDATE`
    await this.#database.select(sql, { ids }, transaction)
  }

  async #runAll(statements: readonly Statement[], transaction: Transaction): Promise<void> {
    for (const { sql, values } of statements) await this.#database.run(sql, values, transaction)
  }

  #addToLeased(rows: readonly LeaseRow[]): Statement[] {
    return kinds.flatMap((kind) => {
      const ofKind = rows.filter((row) => row.kind === kind)
      if (ofKind.length === 0) return []
      const { table } = tables[kind]
      const { dialect } = this.#database
      const { from, values } = rowsFrom(dialect, 'lease', leaseColumns, ofKind)
      // PostgreSQL does not know how few rows these are, and without the list of ids it reads the whole table.
      const listed = dialect === 'postgres' ? ` AND ${table}.id IN (:ids)` : ''
      const sql = `UPDATE ${table} SET leased = leased + lease.units
        FROM ${from} WHERE ${table}.id = lease.subject_id${listed}`
      return [{ sql, values: { ...values, ids: ofKind.map(({ subject_id: id }) => id) } }]
    })
  }

  async #removeRows(
    where: string,
    replacements: Record<string, unknown>,
    transaction: Transaction,
  ): Promise<void> {
    const rows = await this.#database.select<LeaseRow>(
      `DELETE FROM leases WHERE ${where} RETURNING kind, subject_id, units`,
      replacements,
      transaction,
    )
    const returned = rows.map((row) => ({ ...row, units: -row.units }))
    await this.#runAll(this.#addToLeased(returned), transaction)
  }
}
