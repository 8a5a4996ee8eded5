import { setTimeout as wait } from 'node:timers/promises'
import type { Logger, LogRow } from '../../contract/services.ts'
import type { Database } from '../../data/database.ts'
import { isPassing } from '../../data/database-errors.ts'
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
/** After this time nobody waits for the commit any longer, as with every other charge. */
const LONGEST_HOLD_MS = 10_000

interface KeptParts {
  database: Database
  nodeId: string
  log: Logger
  balances: Balances
  add(item: CommitItem): Promise<void>
  writeLog(row: LogRow, transaction: Transaction): Promise<void>
}

/** Charges that must survive their process. Each is stored as a row until it is made once, by whichever node is running then. */
export class KeptCharges {
  readonly #parts: KeptParts
  /** Whether the row was written, by request id. */
  readonly #kept = new Map<string, Promise<boolean>>()
  readonly #under = new Set<Promise<void>>()
  #isClosing = false

  constructor(parts: KeptParts) {
    this.#parts = parts
  }

  /** Resolves when the row is in the database. */
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
    // Hardly ever is one kept, and a text is not looked up for nothing.
    return this.#kept.size > 0 && this.#kept.has(requestId)
  }

  /** Removes the row without a charge. */
  async drop(requestId: string): Promise<void> {
    const kept = this.#kept.get(requestId)
    this.#kept.delete(requestId)
    if (await kept) await takeResponse(this.#parts.database, requestId)
  }

  /** Takes over the rows of dead nodes, which this node has to charge from now on. */
  async claim(): Promise<OpenResponseRow[]> {
    const { database, nodeId } = this.#parts
    const rows = await claimResponses(database, nodeId)
    for (const { requestId } of rows) this.#kept.set(requestId, Promise.resolve(true))
    return rows
  }

  /** Resolves when the charge was made, here or by another node. If the database is away for long, it resolves earlier,
   *  and the charge follows. */
  async charge(charge: OnceCharge): Promise<void> {
    const charging = this.#charged(charge)
    this.#under.add(charging)
    const ended = () => void this.#under.delete(charging)
    charging.then(ended, ended)
    await Promise.race([charging, wait(LONGEST_HOLD_MS, undefined, { ref: false })])
  }

  /** Charges that cannot be made now are left to the next process. */
  async close(): Promise<void> {
    this.#isClosing = true
    await Promise.allSettled(this.#under)
  }

  async #charged(charge: OnceCharge): Promise<void> {
    const { database, log } = this.#parts
    const { requestId } = charge
    // If the row could not be written, no other process knows of the charge, and it is made without the row.
    const isGuarded = (await this.#kept.get(requestId)) ?? false
    for (;;) {
      try {
        await database.transaction((transaction) => this.#enter(charge, isGuarded, transaction))
        this.#kept.delete(requestId)
        return
      } catch (error) {
        if (!isPassing(error) || this.#isClosing) throw error
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
