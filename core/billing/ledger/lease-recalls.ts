import type { Transaction } from 'sequelize'
import type { ClusterBus, Logger } from '../../contract/services.ts'
import type { EventBus } from '../../contract/events.ts'
import type { Database } from '../../data/database.ts'
import { SharedRun } from '../../kernel/shared-run.ts'
import type { LeaseBook } from './lease-book.ts'
import { markRecalled, selectRecalled, type RecalledRow } from './lease-recalls-sql.ts'
import type { LeaseKind } from './lease-store-sql.ts'

const topic = 'ledger.recall'
/** How long a lost message can delay a recall, in milliseconds. */
const lookEveryMs = 1000
/** A node that has looked no more recently than this stood still, or was too busy: calls wait until it has looked. */
const overdueMs = 2 * lookEveryMs

/** Takes leases back from other nodes when an edit lowers a balance or disables its owner. The transaction of the edit
 *  increases a counter in the rows of those leases. A message on the bus tells the nodes to read them, and each also
 *  reads them once a second. On SQLite there is only one node, which is reached in memory. */
export class LeaseRecalls {
  readonly #database: Database
  readonly #book: LeaseBook
  readonly #nodeId: string
  readonly #cluster: ClusterBus | undefined
  readonly #events: EventBus
  readonly #log: Logger
  readonly #disposers: (() => void)[] = []
  readonly #looking = new SharedRun(() => this.#look())
  #lastLook: Promise<void> | undefined
  /** When the last look began that succeeded, by a monotonic clock. */
  #readAtMs = performance.now()
  /** The look that a message has asked for. */
  #told: Promise<void> | undefined

  constructor(options: {
    database: Database
    book: LeaseBook
    nodeId: string
    cluster: ClusterBus | undefined
    events: EventBus
    log: Logger
  }) {
    this.#database = options.database
    this.#book = options.book
    this.#nodeId = options.nodeId
    this.#cluster = options.cluster
    this.#events = options.events
    this.#log = options.log
    if (this.#database.dialect === 'sqlite') return
    const timer = setInterval(() => void this.look(), lookEveryMs).unref()
    this.#disposers.push(() => clearInterval(timer))
    const listen = () => this.#beTold()
    const unsubscribe = this.#cluster?.subscribe(topic, listen, listen)
    if (unsubscribe !== undefined) this.#disposers.push(unsubscribe)
  }

  /** Undefined as long as this node knows what others have recalled. Otherwise no call may be paid from a lease before
   *  this resolves: after a pause, a balance that was cut meanwhile would be spent again. */
  get unread(): Promise<void> | undefined {
    if (this.#told !== undefined || this.#database.dialect === 'sqlite') return this.#told
    return performance.now() - this.#readAtMs < overdueMs ? undefined : this.look()
  }

  /** Recalls what other nodes hold of a balance, as part of the edit. Users and tokens must be locked first. */
  async mark(kind: LeaseKind, id: number, transaction: Transaction): Promise<void> {
    if (this.#database.dialect === 'sqlite') return
    const own = this.#nodeId
    const count = await markRecalled(this.#database, { kind, id, own }, transaction)
    if (count === 0) return
    transaction.afterCommit(() => this.#cluster?.publish(topic, { kind, id }))
  }

  /** Returns what others have recalled. Resolves when it is known what that is. */
  look(): Promise<void> {
    this.#lastLook = this.#looking.run()
    return this.#lastLook
  }

  /** Resolves when no look is under way; none begins afterwards. */
  async close(): Promise<void> {
    for (const dispose of this.#disposers.splice(0)) dispose()
    await this.#lastLook
  }

  #beTold(): Promise<void> {
    const told = this.look().finally(() => {
      if (this.#told === told) this.#told = undefined
    })
    this.#told = told
    return told
  }

  async #look(): Promise<void> {
    const beganAtMs = performance.now()
    try {
      const rows = await selectRecalled(this.#database, this.#nodeId)
      this.#readAtMs = beganAtMs
      for (const row of rows) this.#recall(row)
    } catch (error) {
      this.#log.warn({ err: error }, 'recalled leases could not be read')
    }
  }

  #recall({ kind, subject_id: id, recalls, user_id: userId }: RecalledRow): void {
    if (!this.#book.recall(kind, id, recalls)) return
    // The node's caches of the owner and the token may be older than the edit.
    if (userId !== 0) this.#events.emit('user.changed', { userId })
  }
}
