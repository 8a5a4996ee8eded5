import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'
import type { Logger } from '../../contract/services.ts'
import type { Transaction } from 'sequelize'
import { type BatchCall, BatchError, type Database } from '../../data/database.ts'
import { isAway } from '../../data/database-errors.ts'
import type { Statement } from '../../data/named-values.ts'
import { outsideTransaction } from '../../data/inside-transaction.ts'
import type { LogRow } from '../../contract/money-services.ts'
import type { LogRedaction } from '../../secrets/log-redaction.ts'
import { batchContent, type BatchItem, type LogAudience, publishedRow } from './ledger-batch.ts'
import { insertLog } from './insert-log-sql.ts'
import { postgresBatchCall } from './postgres-batch-sql.ts'
import { sqliteBatchCall } from './sqlite-batch-sql.ts'
import { WriteWait } from './write-wait.ts'

export interface CommitItem extends BatchItem {
  /** Called when the item is in the database, in the order of items and before those who wait for it go on. */
  committed?: (() => void) | undefined
  /** True if its waiters may go on while the database is away for long, even though there are statements alongside. */
  mayBeLetGo?: boolean
  /** Called when it is certain that the item will never be written. */
  failed?: (() => void) | undefined
  /** Why it was not written. */
  error?: unknown
}

/** What a call is charged, and what is committed with that. */
export interface ChargeInput extends Pick<CommitItem, 'alongside' | 'mayBeLetGo'> {
  units: number
  channelId: number
  log?: LogRow | undefined
}

interface Pulse {
  batchFailed(error: unknown): void
  batchWritten(): void
}

interface Batch {
  items: CommitItem[]
  /** Characters of log text, which are limited to keep one statement below SQLite's limit of a million bytes. */
  textLength: number
  /** Resolves when each item is written or has an error. */
  written: PromiseWithResolvers<void>
  /** As `written`, but resolves also if the database has been away for too long. */
  released: PromiseWithResolvers<void>
}

const largestBatch = 256
const longestText = 200_000
/** How long a batch may wait for more items. */
const longestGatherMs = 2
/** How many names are kept in memory. Above that, the memory is emptied. */
const mostKnownModels = 5_000
const longestRetryDelayMs = 2_000
/** After this time without a commit nobody waits any longer: the answers are sent, and their charges follow. A stop waits as long for these. */
const longestHoldMs = 10_000
/** The most rows without money that wait while the database is away. */
const mostWaitingLogs = 20_000
/** SQLSTATE of the division by zero with which the fence fails: another node took this one for dead. */
const fenced = '22012'
const uniqueViolation = '23505'

/** Group commit: while one batch is being written, the next one gathers. All who wait for a batch share its promise. */
export class CommitQueue {
  readonly #database: Database
  readonly #nodeId: string
  readonly #log: Logger
  readonly #rejoin: () => Promise<void>
  readonly #redaction: LogRedaction | undefined
  readonly #pulse: Pulse
  readonly #audience: LogAudience | undefined
  readonly #wait = new WriteWait(longestHoldMs, () => this.#letGo())
  #underWay: Batch | undefined
  #lastCommitMs = 0
  readonly #waiting: Batch[] = []
  #writing: Promise<void> | undefined
  /** Names of models that log_models is known to contain. */
  readonly #knownModels = new Set<string>()
  #sequence = 0
  #waitingItems = 0
  #droppedLogs = 0
  #endsAtMs = Number.POSITIVE_INFINITY
  #lostCharges = 0
  /** False once a batch has been unwritten for `longestHoldMs`, until one is written: nobody waits then. */
  #isHolding = true

  constructor(options: {
    database: Database
    nodeId: string
    log: Logger
    /** Registers the node again after it was taken for dead. */
    rejoin: () => Promise<void>
    redaction?: LogRedaction | undefined
    audience?: LogAudience | undefined
    /** Notified of batches that the database does not accept, and of the next one that it does. */
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

  /** Resolves when the item is committed. If the database has been away for long, it resolves earlier, because a paid
   *  answer must not wait for it. Items with statements `alongside` always wait, unless they say otherwise. */
  add(item: CommitItem): Promise<void> {
    const batch = this.#join(item)
    if (!this.#isHolding) batch.released.resolve()
    const isLetGo = item.alongside === undefined || item.mayBeLetGo === true
    const end = isLetGo ? batch.released : batch.written
    const written = end.promise.then(() => {
      if (item.error !== undefined) throw item.error
    })
    // With relaxed durability nobody may be waiting, and the failure has been logged.
    written.catch(() => undefined)
    return written
  }

  /** Every log row passes here, so this is where keys that an upstream may have quoted are removed from it. */
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

  /** Adds a row that nobody waits for. It is dropped if the database has been away for long. */
  addLog(item: CommitItem): void {
    if (this.#waitingItems >= mostWaitingLogs) {
      if (this.#droppedLogs === 0) this.#log.error({}, 'log rows are dropped: the database is away')
      this.#droppedLogs += 1
      return
    }
    this.#join(item)
  }

  /** Writes a row as part of the caller's transaction. The audience gets it after the commit. */
  async writeLogIn(row: Partial<LogRow>, transaction: Transaction): Promise<void> {
    const log = this.#redaction?.row(row) ?? row
    const { sql, values } = insertLog(log)
    await this.#database.run(sql, values, transaction)
    transaction.afterCommit(() => {
      if (this.#audience?.isEmpty === false) this.#audience.publish(rowsOf([{ log }]))
    })
  }

  /** The number of items that are not written yet. */
  get waiting(): number {
    return this.#waitingItems
  }

  /** How long the last batch took since its first attempt. */
  get lastCommitMs(): number {
    return this.#lastCommitMs
  }

  /** For how long the batch under way has been waited for; undefined when there is none. */
  get waitedMs(): number | undefined {
    return this.#wait.ms
  }

  /** Charges that were given up at the end, because the database could not write them. */
  get lostCharges(): number {
    return this.#lostCharges
  }

  get isBusy(): boolean {
    return this.#writing !== undefined
  }

  /** Resolves when everything added so far is written or has failed. */
  async idle(): Promise<void> {
    while (this.#writing !== undefined) await this.#writing
  }

  /** As idle, but gives up what cannot be written for `longestHoldMs`. */
  async close(): Promise<void> {
    this.#endsAtMs = Math.min(this.#endsAtMs, performance.now() + longestHoldMs)
    await this.idle()
  }

  get #isOver(): boolean {
    return performance.now() >= this.#endsAtMs
  }

  async #write(): Promise<void> {
    for (;;) {
      await this.#gather()
      const batch = this.#waiting.shift()
      if (batch === undefined) break
      const beganMs = performance.now()
      this.#underWay = batch
      this.#wait.begin()
      await this.#commit(batch)
      this.#wait.end()
      this.#underWay = undefined
      this.#isHolding = true
      this.#lastCommitMs = performance.now() - beganMs
      this.#waitingItems -= batch.items.length
    }
    this.#droppedLogs = 0
    this.#writing = undefined
  }

  /** A commit costs as much as ten of its items, so a batch waits while each turn of the event loop brings many more. A
   *  single item waits for one turn, and items that come one by one for a few. */
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

  #letGo(): void {
    this.#isHolding = false
    const batches = this.#underWay === undefined ? [] : [this.#underWay, ...this.#waiting]
    const count = batches.reduce((sum, { items }) => sum + items.length, 0)
    this.#log.error({ count }, 'answers go out before their charges: the database is away')
    for (const { released } of batches) released.resolve()
  }

  async #commit({ items, written, released }: Batch): Promise<void> {
    if (!(await this.#tryItems(items)) && items.length > 1 && !this.#isOver) {
      // One invalid row must not prevent the others of its batch.
      for (const item of items) await this.#tryItems([item])
    }
    for (const item of items) {
      if (item.error === undefined) item.committed?.()
      else item.failed?.()
      if (item.settlement && item.error !== undefined && this.#isOver) this.#lostCharges += 1
    }
    written.resolve()
    released.resolve()
    if (this.#audience?.isEmpty === false) this.#audience.publish(rowsOf(items))
  }

  async #tryItems(items: readonly CommitItem[]): Promise<boolean> {
    try {
      await this.#writeItems(items)
      for (const item of items) item.error = undefined
      return true
    } catch (error) {
      for (const item of items) item.error = error
      this.#log.error({ err: error, count: items.length }, 'a batch could not be written')
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
        } else if (!error.isTransient || this.#isOver) {
          // The database has refused the batch, so it is there. While no call is let in, nothing else would find that
          // out.
          if (!error.isTransient) this.#pulse.batchWritten()
          throw error
        }
        // Locks and conflicts are over with the first or second attempt.
        if (isAway(error) || attempt >= 2) this.#pulse.batchFailed(error)
        this.#log.warn({ err: error, attempt }, 'a batch is written again')
        await wait(Math.min(longestRetryDelayMs, 10 * 2 ** attempt))
      }
    }
  }

  /** If this fails, the next attempt at the batch fails at the fence again. The calls in it were answered, so their
   *  charges wait as long as it takes. */
  async #enterAgain(): Promise<void> {
    try {
      await this.#rejoin()
    } catch (error) {
      if (this.#isOver) throw error
      this.#pulse.batchFailed(error)
      this.#log.warn({ err: error }, 'the node could not be entered again')
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
    return postgresBatchCall(content, { id: this.#nodeId, sequence: this.#sequence })
  }
}

function rowsOf(items: readonly CommitItem[]): LogRow[] {
  return items.flatMap(({ log, error }) =>
    log === undefined || error !== undefined ? [] : publishedRow(log),
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
