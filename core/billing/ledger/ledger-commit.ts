import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'
import type { Logger } from '../../contract/services.ts'
import type { Transaction } from 'sequelize'
import { type BatchCall, BatchError, type Database } from '../../data/database.ts'
import { isAway } from '../../data/database-errors.ts'
import type { Statement } from '../../data/named-values.ts'
import { outsideTransaction } from '../../data/write-gate.ts'
import type { LogRow } from '../../contract/money-services.ts'
import type { Redaction } from '../../secrets/redaction.ts'
import { batchContent, type BatchItem, type LogAudience, toldRow } from './ledger-batch.ts'
import { insertLog } from './insert-log-sql.ts'
import { postgresBatchCall } from './postgres-batch-sql.ts'
import { sqliteBatchCall } from './sqlite-batch-sql.ts'

export interface CommitItem extends BatchItem {
  /** Told when the item is in the database, in memory order, before its waiters. */
  committed?: (() => void) | undefined
  /** Its waiters go on when the database has been away for long, whatever is alongside. */
  mayBeLetGo?: boolean
  /** Told when it is certain that it never will be. */
  failed?: (() => void) | undefined
  /** Why it was not written. */
  error?: unknown
}

interface Pulse {
  batchFailed(error: unknown): void
  batchWritten(): void
}

interface Batch {
  items: CommitItem[]
  /** Characters of log text, so that one statement stays below SQLite's limit of a million bytes. */
  textLength: number
  /** Resolves when each of the items is written or has its error. */
  written: PromiseWithResolvers<void>
  /** The same, or that the database has been away for too long. */
  released: PromiseWithResolvers<void>
}

const largestBatch = 256
const longestText = 200_000
/** How long a batch may wait for more. */
const longestGatherMs = 2
/** Names kept in memory; beyond that they are learnt anew. */
const mostKnownModels = 5_000
const longestRetryDelayMs = 2_000
/** After so long without a commit nobody waits for one any more: the answers that hang on it go out, their charges follow. */
const longestHoldMs = 10_000
/** Rows without money that may wait while the database is away. */
const mostWaitingLogs = 20_000
/** SQLSTATE of the fence's division by zero: another node took this one for dead. */
const fenced = '22012'
const uniqueViolation = '23505'

/**
 * Group commit: while one batch is in flight the next one gathers. All that wait for a batch share its promise.
 */
export class CommitQueue {
  readonly #database: Database
  readonly #nodeId: string
  readonly #log: Logger
  readonly #rejoin: () => Promise<void>
  readonly #redaction: Redaction | undefined
  readonly #pulse: Pulse
  readonly #audience: LogAudience | undefined
  #batchBeganMs: number | undefined
  #lastCommitMs = 0
  readonly #waiting: Batch[] = []
  #writing: Promise<void> | undefined
  /** Model names that log_models is known to have. */
  readonly #knownModels = new Set<string>()
  #sequence = 0
  #waitingItems = 0
  #droppedLogs = 0
  #isClosing = false
  /** True from `longestHoldMs` after the beginning of a batch until one is written. */
  #isHolding = true

  constructor(options: {
    database: Database
    nodeId: string
    log: Logger
    /** Enters the node again after it was taken for dead. */
    rejoin: () => Promise<void>
    redaction?: Redaction | undefined
    audience?: LogAudience | undefined
    /** Told of batches that the database keeps from being written, and of the next that is. */
    pulse: Pulse
  }) {
    this.#database = options.database
    this.#nodeId = options.nodeId
    this.#log = options.log
    this.#rejoin = options.rejoin
    this.#redaction = options.redaction
    this.#pulse = options.pulse
    this.#audience = options.audience
  }

  /**
   * Resolves when the item is committed. While the database has been away for long it resolves before: an answer that was
   * paid for must not hang with it. What brings statements `alongside` waits for them always, unless it says otherwise.
   */
  add(item: CommitItem): Promise<void> {
    const batch = this.#join(item)
    if (!this.#isHolding) batch.released.resolve()
    const isLetGo = item.alongside === undefined || item.mayBeLetGo === true
    const end = isLetGo ? batch.released : batch.written
    const written = end.promise.then(() => {
      if (item.error !== undefined) throw item.error
    })
    // With relaxed durability nobody may be waiting; the failure has been logged.
    written.catch(() => undefined)
    return written
  }

  /** Every log row comes by here, so here it loses the keys that an upstream may have quoted. */
  #join(item: CommitItem): Batch {
    if (item.log && this.#redaction) item.log = this.#redaction.row(item.log)
    const textLength =
      (item.log === undefined ? 0 : textOf(item.log)) + alongsideLength(item.alongside)
    let batch = this.#waiting.at(-1)
    if (
      batch === undefined ||
      batch.items.length >= largestBatch ||
      batch.textLength + textLength > longestText
    ) {
      batch = newBatch()
      this.#waiting.push(batch)
    }
    batch.items.push(item)
    batch.textLength += textLength
    this.#waitingItems += 1
    this.#writing ??= outsideTransaction(() => this.#write())
    return batch
  }

  /** Adds a row that nobody waits for; dropped when the database has been away for long. */
  addLog(item: CommitItem): void {
    if (this.#waitingItems >= mostWaitingLogs) {
      if (this.#droppedLogs === 0) this.#log.error({}, 'log rows are dropped: the database is away')
      this.#droppedLogs += 1
      return
    }
    this.#join(item)
  }

  /** A row that is written with the rest of the caller's transaction, and told of when that is committed. */
  async writeLogIn(row: Partial<LogRow>, transaction: Transaction): Promise<void> {
    const log = this.#redaction?.row(row) ?? row
    const { sql, values } = insertLog(log)
    await this.#database.run(sql, values, transaction)
    transaction.afterCommit(() => {
      if (this.#audience?.isEmpty === false) this.#audience.tell(rowsOf([{ log }]))
    })
  }

  /** Items that are not written yet. */
  get waiting(): number {
    return this.#waitingItems
  }

  /** How long the last batch took, from its first try. */
  get lastCommitMs(): number {
    return this.#lastCommitMs
  }

  /** When the batch under way began, as performance.now; undefined when there is none. */
  get batchBeganMs(): number | undefined {
    return this.#batchBeganMs
  }

  get isBusy(): boolean {
    return this.#writing !== undefined
  }

  /** Resolves when everything added so far is written or has failed. */
  async idle(): Promise<void> {
    while (this.#writing !== undefined) await this.#writing
  }

  /** As idle, but a batch that cannot be written now is given up. */
  async close(): Promise<void> {
    this.#isClosing = true
    await this.idle()
  }

  async #write(): Promise<void> {
    for (;;) {
      await this.#gather()
      const batch = this.#waiting.shift()
      if (batch === undefined) break
      this.#batchBeganMs = performance.now()
      const limit = setTimeout(() => this.#letGo(batch), longestHoldMs)
      await this.#commit(batch)
      clearTimeout(limit)
      this.#isHolding = true
      this.#lastCommitMs = performance.now() - this.#batchBeganMs
      this.#batchBeganMs = undefined
      this.#waitingItems -= batch.items.length
    }
    this.#droppedLogs = 0
    this.#writing = undefined
  }

  /**
   * A commit costs as much as ten of its items: while turns of the event loop still bring many, the batch waits for them. A lone item waits
   * for one turn, and what comes alone now and then for a few.
   */
  async #gather(): Promise<void> {
    const beganMs = performance.now()
    let known = 0
    while (
      this.#waiting.length === 1 &&
      (this.#waitingItems - known) * 8 >= this.#waitingItems &&
      performance.now() - beganMs < longestGatherMs
    ) {
      known = this.#waitingItems
      await nextTurn()
    }
  }

  #letGo(underWay: Batch): void {
    this.#isHolding = false
    const batches = [underWay, ...this.#waiting]
    const count = batches.reduce((sum, { items }) => sum + items.length, 0)
    this.#log.error({ count }, 'answers go out before their charges: the database is away')
    for (const { released } of batches) released.resolve()
  }

  async #commit({ items, written, released }: Batch): Promise<void> {
    if (!(await this.#tryItems(items)) && items.length > 1) {
      // One bad row must not take the others of its batch with it.
      for (const item of items) await this.#tryItems([item])
    }
    for (const item of items) {
      if (item.error === undefined) item.committed?.()
      else item.failed?.()
    }
    written.resolve()
    released.resolve()
    if (this.#audience?.isEmpty === false) this.#audience.tell(rowsOf(items))
  }

  async #tryItems(items: readonly CommitItem[]): Promise<boolean> {
    try {
      await this.#writeItems(items)
      for (const item of items) item.error = undefined
      return true
    } catch (error) {
      for (const item of items) item.error = error
      this.#log.error({ error, count: items.length }, 'a batch could not be written')
      return false
    }
  }

  async #writeItems(items: readonly CommitItem[]): Promise<void> {
    this.#sequence += 1
    const newModels = this.#newModels(items)
    let mayBeCommitted = false
    for (let attempt = 0; ; attempt += 1) {
      try {
        const alongside = items.flatMap((item) => item.alongside ?? [])
        await this.#database.batch(alongside, this.#call(items, newModels))
        return this.#written(newModels)
      } catch (error) {
        if (!(error instanceof BatchError)) throw error
        if (mayBeCommitted && error.code === uniqueViolation) return this.#written(newModels)
        mayBeCommitted ||= error.isUnknown
        if (error.code === fenced) {
          await this.#enterAgain()
        } else if (!error.isTransient || this.#isClosing) {
          // Refused, and so not away: nobody else might come to find that out, where calls are not let in.
          if (!error.isTransient) this.#pulse.batchWritten()
          throw error
        }
        // Locks and conflicts pass at the first repeat or the second.
        if (isAway(error) || attempt >= 2) this.#pulse.batchFailed(error)
        this.#log.warn({ error, attempt }, 'a batch is written again')
        await wait(Math.min(longestRetryDelayMs, 10 * 2 ** attempt))
      }
    }
  }

  /** Where it fails, the batch's next try is fenced again: the calls in it were answered, their charges wait for as long as it takes. */
  async #enterAgain(): Promise<void> {
    try {
      await this.#rejoin()
    } catch (error) {
      if (this.#isClosing) throw error
      this.#pulse.batchFailed(error)
      this.#log.warn({ error }, 'the node could not be entered again')
    }
  }

  #newModels(items: readonly CommitItem[]): string[] {
    const names = new Set<string>()
    for (const { log } of items) {
      const name = log?.model_name ?? ''
      if (name !== '' && !this.#knownModels.has(name)) names.add(name)
    }
    return [...names]
  }

  #written(newModels: readonly string[]): void {
    this.#pulse.batchWritten()
    if (this.#knownModels.size > mostKnownModels) this.#knownModels.clear()
    for (const name of newModels) this.#knownModels.add(name)
  }

  #call(items: readonly CommitItem[], newModels: readonly string[]): BatchCall {
    const content = batchContent(items, newModels)
    if (this.#database.dialect === 'sqlite') return sqliteBatchCall(content, this.#nodeId)
    const nowSeconds = Math.floor(Date.now() / 1000)
    return postgresBatchCall(content, { id: this.#nodeId, sequence: this.#sequence, nowSeconds })
  }
}

function rowsOf(items: readonly CommitItem[]): LogRow[] {
  return items.flatMap(({ log, error }) =>
    log === undefined || error !== undefined ? [] : toldRow(log),
  )
}

function newBatch(): Batch {
  return {
    items: [],
    textLength: 0,
    written: Promise.withResolvers(),
    released: Promise.withResolvers(),
  }
}

function textOf({ content, other }: { content?: string; other?: string }): number {
  return (content?.length ?? 0) + (other?.length ?? 0)
}

function alongsideLength(statements: readonly Statement[] = []): number {
  let length = 0
  for (const { values } of statements) {
    for (const value of Object.values(values ?? {})) {
      if (typeof value === 'string') length += value.length
    }
  }
  return length
}
