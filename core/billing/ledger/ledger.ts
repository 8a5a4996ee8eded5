import type { Transaction } from 'sequelize'
import type { OptionReader } from '../../contract/adapter.ts'
import type { ClusterBus, Logger } from '../../contract/services.ts'
import type { EventBus } from '../../contract/events.ts'
import type {
  LedgerService,
  LogRow,
  LogService,
  NewBalance,
  Reservation,
} from '../../contract/money-services.ts'
import type { Database } from '../../data/database.ts'
import type { LogRedaction } from '../../secrets/log-redaction.ts'
import { quotaWords } from '../quota-text.ts'
import { KeptCharges } from './kept-charges.ts'
import { Holds } from './holds.ts'
import { LeaseBook, LeaseLost } from './lease-book.ts'
import { LeaseRecalls } from './lease-recalls.ts'
import { LeaseStore } from './lease-store-sql.ts'
import { type BalanceChange, Balances, requireUnits } from './ledger-balance-sql.ts'
import type { LogAudience, Settlement } from './ledger-batch.ts'
import { type ChargeInput, CommitQueue } from './ledger-commit.ts'
import { LedgerNode } from './ledger-node-sql.ts'
import { LedgerPulse } from './ledger-pulse.ts'
import { refundCharge, type Refund } from './ledger-refund-sql.ts'
import { type Hold, holdsOf, type OpenReservation, OpenReservations } from './open-reservation.ts'
import { verifyLedger } from './ledger-verify-report.ts'
import { SessionCharges } from './session-charges.ts'

const idleLeaseMs = 30_000
const sweepMs = 10_000

export interface LedgerOptions {
  database: Database
  /** Unique among the processes that use the database. */
  nodeId: string
  log: Logger
  events: EventBus
  /** Removes keys from log rows; absent if no upstream is called. */
  redaction?: LogRedaction
  audience?: LogAudience
  /** Carries recalls of leases to the other nodes. Without it they notice them within a second. */
  cluster?: ClusterBus | undefined
  /** Say how refusals write amounts; absent: in units. */
  options?: OptionReader
}

/** Balances and charges. A balance is the sum of its entries. What open reservations may spend was leased from it
 *  beforehand, so a reservation needs no statement, and a settlement is one row of the next group commit. */
export class Ledger implements LedgerService {
  readonly logs: LogService
  readonly sessions: SessionCharges
  readonly kept: KeptCharges
  readonly #database: Database
  readonly #log: Logger
  readonly #events: EventBus
  readonly #book: LeaseBook
  readonly #holds: Holds
  readonly #node: LedgerNode
  readonly #pulse: LedgerPulse
  readonly #queue: CommitQueue
  readonly #balances: Balances
  readonly #recalls: LeaseRecalls
  readonly #open = new OpenReservations()
  readonly #openOfUser = new Map<number, number>()
  readonly #sweep: NodeJS.Timeout
  #isClosed = false

  /** Registers this process as a node. `recover` must be called before the first call is served. */
  static async open(options: LedgerOptions): Promise<Ledger> {
    const store = new LeaseStore(options.database, options.nodeId, options.audience)
    const node = new LedgerNode(options.database, store, options.log)
    await node.join()
    return new Ledger(options, store, node)
  }

  constructor(options: LedgerOptions, store: LeaseStore, node: LedgerNode) {
    const { database, nodeId, log, events, cluster, redaction, audience } = options
    this.#database = database
    this.#log = log
    this.#events = events
    this.#node = node
    const pulse = new LedgerPulse({
      probe: () => store.touch(),
      waitedMs: () => this.#queue.waitedMs ?? this.#book.waitedMs,
      log,
    })
    this.#pulse = pulse
    const wordsOf = (units: number) => quotaWords(units, options.options)
    this.#book = new LeaseBook(store, log, {
      wordsOf,
      usedUp: ({ kind, id }) => {
        if (kind === 'token') events.emit('token.exhausted', { tokenId: id })
      },
      failed: (error) => pulse.leaseFailed(error),
    })
    const book = this.#book
    this.#holds = new Holds(book)
    this.#recalls = new LeaseRecalls({ database, book, nodeId, cluster, events, log })
    this.#balances = new Balances({ database, book, store, recalls: this.#recalls, wordsOf })
    const rejoin = async () => {
      await node.enter()
      this.sessions.rejoined()
      this.#book.forfeit()
    }
    this.#queue = new CommitQueue({ database, nodeId, log, rejoin, redaction, audience, pulse })
    this.logs = {
      write: (row) => this.#queue.addLog({ log: row }),
      writeIn: (row, transaction) => this.#queue.writeLogIn(row, transaction),
    }
    this.sessions = new SessionCharges({
      nodeId,
      redaction,
      settle: this.settle.bind(this),
      release: this.release.bind(this),
      add: (item) => this.#queue.add(item),
    })
    this.kept = new KeptCharges({
      database,
      nodeId,
      log,
      balances: this.#balances,
      add: (item) => this.#queue.add(item),
      writeLog: this.logs.writeIn,
    })
    this.#sweep = setInterval(() => void this.#sweepOnce(), sweepMs).unref()
  }

  /** False while it cannot commit. New reservations are then refused with server.database_away or, if the database is
   *  only slow, server.database_slow. */
  get isAlive(): boolean {
    return this.#pulse.isAlive
  }

  /** Figures of the group commit, for monitoring. */
  get load(): { waiting: number; commitMs: number; isAway: boolean } {
    const { waiting, lastCommitMs } = this.#queue
    return { waiting, commitMs: lastCommitMs, isAway: !this.#pulse.isAlive }
  }

  /** Returns the leases of dead processes to their balances, which releases their open reservations. */
  recover(): Promise<number> {
    return this.#node.recover()
  }

  async reserve(input: {
    requestId: string
    userId: number
    tokenId: number
    isTokenLimited: boolean
    units: number
  }): Promise<Reservation> {
    const { requestId, userId, tokenId, isTokenLimited, units } = input
    requireUnits(units)
    this.#refuse()
    const { unread } = this.#recalls
    if (unread !== undefined) {
      await unread
      this.#refuse()
    }
    if (this.#open.find(requestId)) throw new Error(`${requestId} has an open reservation`)
    const reservation: OpenReservation = {
      requestId,
      userId,
      tokenId,
      units,
      state: 'open',
      ...this.#holds.places(userId, isTokenLimited ? tokenId : 0),
      next: undefined,
    }
    this.#open.add(reservation)
    for (const { lease } of holdsOf(reservation)) lease.reservations += 1
    this.#openOfUser.set(userId, this.openCount(userId) + 1)
    try {
      await this.#holds.take(reservation, units)
    } catch (error) {
      this.#forget(reservation)
      // This node was taken for dead and has entered again.
      if (error instanceof LeaseLost) return this.reserve(input)
      throw error
    }
    this.#events.emit('quota.reserved', { userId, units })
    return reservation
  }

  /** Refuses at once where the lease may have enough units in memory, but the charge could not be written. */
  #refuse(): void {
    if (this.#isClosed) throw new Error('The ledger is closed')
    const { refusal } = this.#pulse
    if (refusal !== undefined) throw refusal
  }

  openCount(userId: number): number {
    return this.#openOfUser.get(userId) ?? 0
  }

  async extend(reservation: Reservation, units: number): Promise<Reservation> {
    requireUnits(units)
    const open = this.#openOf(reservation, 'extended')
    await this.#holds.extend(open, units)
    return open
  }

  /** Statements of core in `alongside` are committed with the charge or not at all (see BatchItem). */
  settle(reservation: Reservation, input: ChargeInput): Promise<void> {
    try {
      requireUnits(input.units)
      const open = this.#close(reservation, 'settled')
      if (!this.kept.has(open.requestId)) return this.#charge(open, input)
      this.#holds.end(open, open.units)
      return this.kept.charge({ ...idsOf(open), ...input })
    } catch (error) {
      return Promise.reject(error)
    }
  }

  async release(reservation: Reservation, log?: LogRow): Promise<void> {
    const open = this.#close(reservation, 'released')
    this.#holds.end(open, open.units)
    if (this.kept.has(open.requestId)) await this.kept.drop(open.requestId)
    if (log !== undefined) await this.#queue.add({ log })
  }

  change(input: BalanceChange): Promise<{ balance: number }> {
    return this.#balances.change(input)
  }

  /** Takes a charge back, inside the caller's transaction.
   *  @throws ledger.entry_repeated */
  refund(input: Refund): Promise<void> {
    const writeLog = this.#queue.writeLogIn.bind(this.#queue)
    return refundCharge({ database: this.#database, balances: this.#balances, writeLog }, input)
  }

  setBalance(input: NewBalance): Promise<{ before: number; after: number }> {
    return this.#balances.setBalance(input)
  }

  setTokenRemain(tokenId: number, remain: number, transaction: Transaction): Promise<void> {
    return this.#balances.setTokenRemain(tokenId, remain, transaction)
  }

  recall(userId: number, tokenId: number, transaction: Transaction): Promise<void> {
    return this.#balances.recall(userId, tokenId, transaction)
  }

  balance(userId: number): Promise<number> {
    return this.#balances.of(userId)
  }

  balances(userIds: readonly number[]): Promise<ReadonlyMap<number, number>> {
    return this.#balances.ofAll(userIds)
  }

  verify(): ReturnType<LedgerService['verify']> {
    return verifyLedger(this.#database)
  }

  /** Returns leases that were not used for `idleMs`. This also happens by itself after 30 seconds. */
  returnIdleLeases(idleMs = idleLeaseMs): Promise<void> {
    return this.#book.returnIdle(idleMs)
  }

  /** Resolves when everything settled or logged so far is in the database. */
  flush(): Promise<void> {
    return this.#queue.idle()
  }

  /** Writes what is queued and returns all leases, which releases the reservations that are still open.
   *  @throws Error if the database did not take all charges */
  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    clearInterval(this.#sweep)
    this.#pulse.close()
    if (this.#open.size > 0) this.#log.warn({ count: this.#open.size }, 'reservations left open')
    await this.#recalls.close()
    await this.kept.close()
    await this.#book.settled()
    while (this.#queue.isBusy) await this.#queue.close()
    // From here on nothing may be settled, because the leases that would pay for it are returned.
    this.#open.clear()
    try {
      await this.#node.leave()
    } catch (error) {
      this.#log.warn({ err: error }, 'leases stay until the next start returns them')
    }
    const { lostCharges } = this.#queue
    if (lostCharges > 0) throw new Error(`${lostCharges} charges are lost: the database is away`)
  }

  #openOf(reservation: Reservation, verb: string): OpenReservation {
    const open = this.#open.find(reservation.requestId)
    if (open !== undefined && open === reservation) return open
    this.#log.error({ requestId: reservation.requestId }, `a reservation was ${verb} twice`)
    throw new Error(`${reservation.requestId} has no open reservation to be ${verb}`)
  }

  #close(reservation: Reservation, state: 'settled' | 'released'): OpenReservation {
    const open = this.#openOf(reservation, state)
    open.state = state
    this.#forget(open)
    return open
  }

  #forget(reservation: OpenReservation): void {
    const { userId } = reservation
    this.#open.delete(reservation)
    for (const { lease } of holdsOf(reservation)) lease.reservations -= 1
    const left = this.openCount(userId) - 1
    if (left > 0) this.#openOfUser.set(userId, left)
    else this.#openOfUser.delete(userId)
  }

  #charge(open: OpenReservation, input: ChargeInput): Promise<void> {
    const { units, channelId, log, alongside, mayBeLetGo = false } = input
    const pay = ({ lease, recall }: Hold) =>
      this.#book.charge(lease, { reserved: open.units, units, recall })
    const settlement: Settlement = {
      requestId: open.requestId,
      userId: open.userId,
      tokenId: open.tokenId,
      channelId,
      units,
      userPart: pay(open.user),
      tokenPart: open.token === undefined ? 0 : pay(open.token),
      isBacked: () => !open.user.lease.isLost,
      atSeconds: Math.floor(Date.now() / 1000),
    }
    const { userPart, tokenPart } = settlement
    return this.#queue.add({
      settlement,
      log,
      alongside,
      mayBeLetGo,
      committed: () => {
        open.user.lease.pending -= userPart
        if (open.token !== undefined) open.token.lease.pending -= tokenPart
      },
      failed: () => {
        this.#book.unpend(open.user.lease, userPart, open.user.recall)
        if (open.token !== undefined) {
          this.#book.unpend(open.token.lease, tokenPart, open.token.recall)
        }
      },
    })
  }

  async #sweepOnce(): Promise<void> {
    try {
      await this.#book.returnIdle(idleLeaseMs)
      // On SQLite no other process starts or ends while this one uses the file.
      if (this.#database.dialect === 'postgres') await this.#node.recover()
    } catch (error) {
      this.#log.warn({ err: error }, 'leases could not be swept')
    }
  }
}

function idsOf({ requestId, userId, tokenId }: Reservation) {
  return { requestId, userId, tokenId }
}
