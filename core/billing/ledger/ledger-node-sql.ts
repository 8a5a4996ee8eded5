import type { Transaction } from 'sequelize'
import type { Logger } from '../../contract/services.ts'
import type { Database } from '../../data/database.ts'
import { nodeLockSeed as lockSeed } from '../../data/postgres/node-lock-sql.ts'
import { serverNow } from '../../data/postgres/server-now-sql.ts'
import type { LeaseStore } from './lease-store-sql.ts'
import { postgresBatchSession } from './postgres-batch-sql.ts'
import { sqliteBatchSession } from './sqlite-batch-sql.ts'

/** How long a node that was cut off may ask for its last batch. */
const batchMemorySeconds = 86_400

/** This process among those that use the database. On PostgreSQL a node is alive as long as it holds its session lock.
 *  An SQLite file has one process, so all other nodes in it are dead. */
export class LedgerNode {
  readonly #database: Database
  readonly #store: LeaseStore
  readonly #log: Logger
  #release: () => Promise<void> = () => Promise.resolve()

  constructor(database: Database, store: LeaseStore, log: Logger) {
    this.#database = database
    this.#store = store
    this.#log = log
  }

  /** @throws Error if another living process serves the SQLite file or has the node's id */
  async join(): Promise<void> {
    this.#release = await this.#database.claim()
    if (this.#database.dialect === 'sqlite') {
      await this.#database.onBatchSession(sqliteBatchSession)
      return this.enter()
    }
    const id = this.#store.nodeId
    await this.#database.onBatchSession(
      [
        ...postgresBatchSession,
        { sql: `SET lock_timeout = '10s'` },
        {
          sql: 'SELECT pg_advisory_lock(hashtextextended(:id, :lockSeed))',
          values: { id, lockSeed },
        },
        { sql: 'SET lock_timeout = 0' },
      ],
      // The leases that this node knows of may not be there. Its next batch fails at the fence, and it enters again.
      [{ sql: 'DELETE FROM nodes WHERE id = :id', values: { id } }],
    )
    // The numbers of batches start anew.
    await this.#forgetBatches('node_id = :id', { id })
    await this.enter()
  }

  /** Registers the node. What an earlier process held under its id is returned. */
  async enter(): Promise<void> {
    await this.#database.transaction(async (transaction) => {
      await this.#store.dissolve(this.#store.nodeId, transaction)
      const now = Math.floor(Date.now() / 1000)
      await this.#database.run(
        'INSERT INTO nodes (id, started_at, heartbeat_at) VALUES (:id, :now, :now)',
        { id: this.#store.nodeId, now },
        transaction,
      )
    })
  }

  /** Dissolves nodes that are dead.
   *  @returns how many */
  async recover(): Promise<number> {
    const rows = await this.#database.select<{ id: string }>(
      `SELECT id FROM nodes WHERE id <> :own
      UNION SELECT node_id FROM leases WHERE node_id <> :own AND kind <> 'batch'`,
      { own: this.#store.nodeId },
    )
    let count = 0
    for (const { id } of rows) {
      const isDissolved = await this.#database.transaction((transaction) =>
        this.#dissolveDead(id, transaction),
      )
      if (isDissolved) count += 1
    }
    // Nodes that are registered keep theirs, whatever the clock says: after a clock that is set forward, a node could
    // otherwise write its last batch twice.
    await this.#forgetBatches(
      `units < ${serverNow} - :batchMemorySeconds AND node_id NOT IN (SELECT id FROM nodes)`,
      { batchMemorySeconds },
    )
    if (count > 0) this.#log.info({ count }, 'leases of dead nodes returned')
    return count
  }

  async leave(): Promise<void> {
    await this.#database.transaction((transaction) =>
      this.#store.dissolve(this.#store.nodeId, transaction),
    )
    await this.#forgetBatches('node_id = :id', { id: this.#store.nodeId })
    await this.#release()
  }

  async #forgetBatches(where: string, replacements: Record<string, unknown>): Promise<void> {
    if (this.#database.dialect === 'sqlite') return
    await this.#database.run(`DELETE FROM leases WHERE kind = 'batch' AND ${where}`, replacements)
  }

  async #dissolveDead(id: string, transaction: Transaction): Promise<boolean> {
    if (this.#database.dialect === 'postgres') {
      const [row] = await this.#database.select<{ free: boolean }>(
        'SELECT pg_try_advisory_xact_lock(hashtextextended(:id, :lockSeed)) AS free',
        { id, lockSeed },
        transaction,
      )
      if (row?.free !== true) return false
      // Waits for a batch of that node that is being committed.
      const lock = 'SELECT id FROM nodes WHERE id = :id FOR UPDATE'
      await this.#database.select(lock, { id }, transaction)
    }
    await this.#store.dissolve(id, transaction)
    return true
  }
}
