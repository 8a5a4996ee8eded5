import { setTimeout as wait } from 'node:timers/promises'
import type { Logger, LogRow } from '../../contract/services.ts'
import type { Database } from '../../data/database.ts'
import { isAway } from '../../data/database-errors.ts'
import type { Transaction } from 'sequelize'
import type { Balances } from './ledger-balance-sql.ts'
import type { CommitItem } from './ledger-commit.ts'
import {
  claimResponses,
  enterCharge,
  keepResponse,
  takeResponse,
  type OnceCharge,
  type OpenResponseRow,
} from './open-responses-sql.ts'

const RETRY_MS = 1_000
/** After so long nobody waits for a commit any more, as with any other charge. */
const LONGEST_HOLD_MS = 10_000

interface KeptParts {
  database: Database
  nodeId: string
  log: Logger
  balances: Balances
  add(item: CommitItem): Promise<void>
  writeLog(row: LogRow, transaction: Transaction): Promise<void>
}

/** Charges that outlive their process: kept as a row until they are made, once, by whichever node is there. */
export class KeptCharges {
  readonly #parts: KeptParts
  /** By request id: whether the row was written. */
  readonly #kept = new Map<string, Promise<boolean>>()
  readonly #under = new Set<Promise<void>>()
  #isClosing = false

  constructor(parts: KeptParts) {
    this.#parts = parts
  }

  /** Resolves when it is in the database. */
  async keep(requestId: string, facts: string): Promise<void> {
    const { add, nodeId } = this.#parts
    const written = add({ alongside: [keepResponse({ requestId, nodeId, facts })] })
    this.#kept.set(
      requestId,
      written.then(
        () => true,
        () => false,
      ),
    )
    await written
  }

  has(requestId: string): boolean {
    return this.#kept.has(requestId)
  }

  /** Nothing is charged for it. */
  async drop(requestId: string): Promise<void> {
    const kept = this.#kept.get(requestId)
    this.#kept.delete(requestId)
    if (await kept) await takeResponse(this.#parts.database, requestId)
  }

  /** What dead nodes have left behind, which this one has to charge from now on. */
  async claim(): Promise<OpenResponseRow[]> {
    const { database, nodeId } = this.#parts
    const rows = await claimResponses(database, nodeId)
    for (const { requestId } of rows) this.#kept.set(requestId, Promise.resolve(true))
    return rows
  }

  /** Resolves when it is charged, here or by another node; or when the database has been away for long, and the charge follows. */
  async charge(charge: OnceCharge): Promise<void> {
    const charging = this.#charged(charge)
    this.#under.add(charging)
    const ended = () => void this.#under.delete(charging)
    charging.then(ended, ended)
    await Promise.race([charging, wait(LONGEST_HOLD_MS, undefined, { ref: false })])
  }

  /** What cannot be charged now is left to the next process. */
  async close(): Promise<void> {
    this.#isClosing = true
    await Promise.allSettled(this.#under)
  }

  async #charged(charge: OnceCharge): Promise<void> {
    const { database, log } = this.#parts
    const { requestId } = charge
    // A row that could not be written guards nothing, and nobody else knows of it.
    const isGuarded = (await this.#kept.get(requestId)) ?? false
    for (;;) {
      try {
        await database.transaction((transaction) => this.#enter(charge, isGuarded, transaction))
        this.#kept.delete(requestId)
        return
      } catch (error) {
        if (!isAway(error) || this.#isClosing) throw error
        log.warn({ err: error, requestId }, 'a charge is written again')
        await wait(RETRY_MS)
      }
    }
  }

  async #enter(charge: OnceCharge, isGuarded: boolean, transaction: Transaction): Promise<void> {
    const { database, balances, writeLog } = this.#parts
    const { requestId, userId, tokenId, log } = charge
    if (isGuarded && !(await takeResponse(database, requestId, transaction))) return
    await balances.recall(userId, tokenId, transaction)
    await enterCharge(database, charge, transaction)
    if (log) await writeLog(log, transaction)
  }
}
