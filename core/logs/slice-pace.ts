import type { Transaction } from 'sequelize'
import type { DatabaseService } from '../contract/services.ts'

/** Longer than that nobody should have to wait for SQLite's one writer, or for the sums of PostgreSQL. */
const WANTED_MS = 50

/** How many rows a transaction takes at once, by how long the last one took: a row costs more on a slow disk and beside other work. */
export class SlicePace {
  rows: number
  #startMs = 0
  readonly #least: number
  readonly #most: number

  constructor({ first, least, most }: { first: number; least: number; most: number }) {
    this.rows = first
    this.#least = least
    this.#most = most
  }

  /** What came before is waiting: on PostgreSQL for a row that another transaction holds. */
  begin(): void {
    this.#startMs = performance.now()
  }

  /** The work on a slice, in a transaction: its commit counts, waiting for its turn does not. */
  async transaction<T>(
    database: DatabaseService,
    work: (transaction: Transaction) => Promise<T>,
  ): Promise<T> {
    const result = await database.transaction((transaction) => {
      this.begin()
      return work(transaction)
    })
    const factor = WANTED_MS / Math.max(1, performance.now() - this.#startMs)
    const rows = Math.round(this.rows * Math.min(2, Math.max(0.25, factor)))
    this.rows = Math.min(this.#most, Math.max(this.#least, rows))
    return result
  }
}
