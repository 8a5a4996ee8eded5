import { setTimeout as pause } from 'node:timers/promises'
import type {
  DatabaseService,
  SliceLimits,
  Slices,
  TransactionStatements,
} from '../contract/services.ts'

/** Longer than that nobody should have to wait for SQLite's one writer, or for the sums of PostgreSQL. */
const WANTED_MS = 50
/** The same while others wait for their turn: calls are settled every few milliseconds. */
const WANTED_BESIDE_OTHERS_MS = 5
/** How long others go on alone for each millisecond that they were kept waiting. */
const REST_A_MS = 3

/** How a database does the work of a slice. */
export interface SliceWay {
  transaction<T>(work: (statements: TransactionStatements) => Promise<T>): Promise<T>
  /** Whether others wait to write. */
  isAwaited(): boolean
}

/** Each work has slices of its own: what a row costs is learned from the last one. */
export function slicesBy(way: SliceWay): DatabaseService['slices'] {
  return (limits) => new PacedSlices(way, limits)
}

class PacedSlices implements Slices {
  rows: number
  readonly #way: SliceWay
  readonly #limits: SliceLimits

  constructor(way: SliceWay, limits: SliceLimits) {
    this.rows = limits.first
    this.#way = way
    this.#limits = limits
  }

  async take<T>(work: (statements: TransactionStatements) => Promise<T>): Promise<T> {
    let startMs = 0
    let isAwaited = false
    const result = await this.#way.transaction(async (statements) => {
      startMs = performance.now()
      const done = await work(statements)
      isAwaited = this.#way.isAwaited()
      return done
    })
    const tookMs = performance.now() - startMs
    this.#size(tookMs, isAwaited ? WANTED_BESIDE_OTHERS_MS : WANTED_MS)
    if (isAwaited) await pause(tookMs * REST_A_MS, undefined, { ref: false })
    return result
  }

  #size(tookMs: number, wantedMs: number): void {
    const { least, most } = this.#limits
    const factor = wantedMs / Math.max(1, tookMs)
    const rows = Math.round(this.rows * Math.min(2, Math.max(0.25, factor)))
    this.rows = Math.min(most, Math.max(least, rows))
  }
}
