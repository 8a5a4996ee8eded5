import type { Logger } from '../../contract/services.ts'
import { outsideTransaction } from '../../data/inside-transaction.ts'
import { isAway } from '../../data/database-errors.ts'
import type { AmountWords } from './ledger-errors.ts'
import { growthOf, hold, knownUnits, serve } from './lease-growth.ts'
import type { LeaseKind, LeaseStore } from './lease-store-sql.ts'
import { WriteWait } from './write-wait.ts'

interface Waiter {
  units: number
  resolve: () => void
  reject: (error: unknown) => void
}

/** What the book tells its owner, and asks it. */
interface LeaseBookOwner {
  /** Called with each lease that refused a call because nothing is left of its balance. */
  usedUp: (lease: Lease) => void
  /** Called if leases could not be written. */
  failed: (error: unknown) => void
  wordsOf: AmountWords
}

/** The part of one balance that this node may spend. The database stores it as one number: free + held + pending. */
export interface Lease {
  readonly kind: LeaseKind
  readonly id: number
  /** Units that are not reserved. */
  free: number
  /** Units that the last growth leased in advance, beside what its calls needed. */
  spare: number
  /** Units of open reservations. */
  held: number
  /** Units of settlements that are being committed. */
  pending: number
  /** By a monotonic clock, which setting the machine's clock does not move. */
  usedAtMs: number
  /** Open reservations that are paid from this lease. Those of 0 units count too, because they may be extended. */
  reservations: number
  /** True as soon as the database may have a row for it. */
  hasRow: boolean
  waiters: Waiter[]
  /** Grows with each recall. Units that were held before a recall do not become free after it. */
  recall: number
  /** How many recalls of other nodes were followed, as counted in the row. */
  seenRecalls: number
  /** Units that a recall has taken and that are not yet back in the balance. */
  owed: number
  /** True if units may have been leased without this node knowing, because the answer of the database was lost. */
  isUncertain: boolean
  /** True if the lease was returned to the balance by another process. It can no longer pay for anything. */
  isLost: boolean
}

/** The lease that was asked went back to its balance. */
export class LeaseLost extends Error {
  constructor() {
    super('The lease of this balance was lost: another node took this one for dead')
  }
}

/** Units that are being returned to their balances. */
interface Payment {
  /** Grows by one with each payment, so that the database recognises one that is repeated. */
  number: number
  debts: readonly { lease: Lease; units: number }[]
}

interface Charge {
  reserved: number
  units: number
  /** The lease's recall counter when the units were held. */
  recall: number
}

/** The leases of this node in memory, and the only writer that grows and returns them. All needs that arise during one
 *  transaction are combined in the next. */
export class LeaseBook {
  readonly #store: LeaseStore
  readonly #leases: Record<LeaseKind, Map<number, Lease>> = { user: new Map(), token: new Map() }
  readonly #short = new Set<Lease>()
  readonly #owing = new Set<Lease>()
  /** Leases whose growth may be committed although its answer has not come. */
  readonly #growing = new Set<Lease>()
  /** The payment that is being made or has failed. A failed one may have been committed, so it is repeated unchanged. */
  #payment: Payment | undefined
  #payments = 0
  #work: Promise<void> | undefined
  readonly #log: Logger
  readonly #on: LeaseBookOwner
  readonly #wait = new WriteWait()
  #returnLimitMs: number | undefined

  constructor(store: LeaseStore, log: Logger, on: LeaseBookOwner) {
    this.#store = store
    this.#log = log
    this.#on = on
  }

  /** For how long the growth under way has been waited for; undefined when there is none. */
  get waitedMs(): number | undefined {
    return this.#wait.ms
  }

  of(kind: LeaseKind, id: number): Lease {
    const known = this.#leases[kind].get(id)
    if (known !== undefined) return known
    const lease: Lease = {
      kind,
      id,
      free: 0,
      spare: 0,
      held: 0,
      pending: 0,
      usedAtMs: performance.now(),
      reservations: 0,
      hasRow: false,
      waiters: [],
      recall: 0,
      seenRecalls: 0,
      owed: 0,
      isUncertain: false,
      isLost: false,
    }
    this.#leases[kind].set(id, lease)
    return lease
  }

  /** Holds `units` if the lease has them free and nobody waits for it. */
  take(lease: Lease, units: number): boolean {
    if (lease.free < units || lease.waiters.length > 0 || lease.isLost) return false
    hold(lease, units)
    return true
  }

  /** Holds `units`, growing the lease from the balance.
   *  @throws quota.insufficient, quota.token_insufficient, LeaseLost */
  takeMore(lease: Lease, units: number): Promise<void> {
    if (lease.isLost) return Promise.reject(new LeaseLost())
    const held = new Promise<void>((resolve, reject) =>
      lease.waiters.push({ units, resolve, reject }),
    )
    this.#short.add(lease)
    this.#start()
    return held
  }

  /** Takes the free units out of the lease; the caller writes them back to the balance. Units that are held now are
   *  returned when their calls turn out not to need them.
   *  @returns the free units */
  surrender(kind: LeaseKind, id: number): number {
    const lease = this.#leases[kind].get(id)
    if (lease === undefined) return 0
    const units = lease.free
    lease.free = 0
    lease.recall += 1
    return units
  }

  /** The units that the book knows of in a lease whose row may hold more. That happens after a rolled back transaction
   *  that took the lease out of the book, or if the answer of a growth was lost. Call it with the balance locked and
   *  before the row is read.
   *  @returns undefined if there is no doubt, or while a growth is under way */
  knownOfDoubtful(kind: LeaseKind, id: number): number | undefined {
    const lease = this.#leases[kind].get(id)
    if (lease === undefined || !lease.isUncertain || this.#growing.has(lease)) return undefined
    return knownUnits(lease)
  }

  /** Notes that surrendered units may not have been written. Whoever locks the row next compares it with the book. */
  doubt(kind: LeaseKind, id: number): void {
    const lease = this.#leases[kind].get(id)
    if (lease !== undefined) lease.isUncertain = true
  }

  /** As `surrender`, but the book itself returns the units.
   *  @returns false if this recall was followed before */
  recall(kind: LeaseKind, id: number, recalls: number): boolean {
    const lease = this.#leases[kind].get(id)
    if (lease === undefined || recalls <= lease.seenRecalls) return false
    lease.seenRecalls = recalls
    this.giveUp(lease, this.surrender(kind, id))
    return true
  }

  /** Ends a hold that was made at the given recall. Its units become free, or are returned if the lease was recalled since. */
  unhold(lease: Lease, units: number, recall: number): void {
    lease.held -= units
    if (recall === lease.recall) lease.free += units
    else this.giveUp(lease, units)
  }

  /** Ends a hold of `reserved` units with a charge of `units`. If the charge exceeds the hold, free units of the lease
   *  pay the difference, and the balance itself if there are none.
   *  @returns the units that leave the lease: what it pays, and what goes back to the balance with the charge */
  charge(lease: Lease, { reserved, units, recall }: Charge): number {
    const part = Math.min(reserved, units)
    const extra = Math.min(lease.free, units - part)
    this.unhold(lease, reserved - part, recall)
    lease.held -= part
    lease.free -= extra
    const leaving = part + extra + this.#takeSurplus(lease)
    lease.pending += leaving
    return leaving
  }

  /** Takes out of the lease what its calls did not need of a small balance, of which other nodes would otherwise refuse calls until it is idle.
   *  A large balance keeps it for the next calls. */
  #takeSurplus(lease: Lease): number {
    const isNeeded = lease.waiters.length > 0 || lease.free <= 2 * lease.spare
    if (isNeeded || !this.#store.isShared) return 0
    const surplus = lease.free - lease.spare
    lease.free = lease.spare
    return surplus
  }

  /** Undoes a charge that was not written. */
  unpend(lease: Lease, units: number, recall: number): void {
    lease.pending -= units
    lease.held += units
    this.unhold(lease, units, recall)
  }

  /** Returns units to the balance that were taken from `free` or `held`. */
  giveUp(lease: Lease, units: number): void {
    if (units === 0 || lease.isLost) return
    lease.owed += units
    this.#owing.add(lease)
    this.#start()
  }

  /** Returns leases that were not used for this time. */
  async returnIdle(idleMs: number): Promise<void> {
    for (const leases of Object.values(this.#leases)) {
      for (const lease of leases.values()) if (lease.owed > 0) this.#owing.add(lease)
    }
    this.#returnLimitMs = performance.now() - idleMs
    this.#start()
    await this.settled()
  }

  /** Resolves when the writer has nothing to do. */
  async settled(): Promise<void> {
    while (this.#work !== undefined) await this.#work
  }

  /** Forgets all leases, because other nodes took this one for dead and returned them. Whoever waits is rejected with LeaseLost. */
  forfeit(): void {
    // What is leased at this moment is written after the others were returned.
    const growing = [...this.#growing]
    for (const leases of Object.values(this.#leases)) {
      for (const lease of leases.values()) {
        lease.isLost = true
        for (const waiter of lease.waiters.splice(0)) waiter.reject(new LeaseLost())
      }
      leases.clear()
    }
    this.#short.clear()
    this.#owing.clear()
    this.#payment = undefined
    for (const { kind, id } of growing) this.of(kind, id).isUncertain = true
  }

  #start(): void {
    // The writer serves all callers, so it must not run inside the transaction of the one that started it.
    this.#work ??= outsideTransaction(() => this.#write()).finally(() => {
      this.#work = undefined
      if (this.#short.size > 0 || this.#owing.size > 0) this.#start()
    })
  }

  async #write(): Promise<void> {
    // Waits for one turn of the event loop, so that needs that arise together are leased together.
    await Promise.resolve()
    while (this.#short.size > 0 || this.#owing.size > 0 || this.#returnLimitMs !== undefined) {
      // Before the leasing, so that the returned units can be leased again.
      if (this.#owing.size > 0) await this.#payBack()
      if (this.#returnLimitMs !== undefined) await this.#giveBack(this.#returnLimitMs)
      if (this.#short.size > 0) await this.#grow()
    }
  }

  async #payBack(): Promise<void> {
    const payment = (this.#payment ??= this.#nextPayment())
    try {
      await this.#store.shrinkAll(
        payment.debts.map(({ lease: { kind, id }, units }) => ({ kind, id, units })),
        payment.number,
      )
    } catch (error) {
      // The next idle round tries again. Until then nobody can spend these units.
      this.#log.warn({ err: error }, 'recalled leases could not be returned')
      this.#owing.clear()
      return
    }
    this.#payment = undefined
    for (const { lease, units } of payment.debts) lease.owed -= units
  }

  #nextPayment(): Payment {
    const debts = [...this.#owing]
      .filter(({ owed }) => owed > 0)
      .map((lease) => ({ lease, units: lease.owed }))
    this.#owing.clear()
    this.#payments += 1
    return { number: this.#payments, debts }
  }

  async #grow(): Promise<void> {
    const leases = [...this.#short]
    this.#short.clear()
    const growths = leases.map(growthOf)
    this.#wait.begin()
    for (const lease of leases) this.#growing.add(lease)
    try {
      await this.#store.grow(growths)
    } catch (error) {
      this.#growing.clear()
      this.#on.failed(error)
      for (const { lease, waiterCount } of growths) {
        lease.isUncertain ||= isAway(error)
        for (const waiter of lease.waiters.splice(0, waiterCount)) waiter.reject(error)
        if (lease.waiters.length > 0) this.#short.add(lease)
      }
      return
    } finally {
      this.#wait.end()
    }
    this.#growing.clear()
    for (const growth of growths) {
      if (serve(growth, this.#on.wordsOf) && growth.isUsedUp) this.#on.usedUp(growth.lease)
      // The units were leased from a balance as it was before the recall.
      if (growth.recall !== growth.lease.recall) {
        this.giveUp(growth.lease, this.surrender(growth.kind, growth.id))
      }
      if (growth.lease.waiters.length > 0) this.#short.add(growth.lease)
    }
  }

  async #giveBack(limitMs: number): Promise<void> {
    this.#returnLimitMs = undefined
    const quiet = [...this.#leases.user.values(), ...this.#leases.token.values()].filter(
      (lease) => isQuiet(lease) && lease.usedAtMs <= limitMs,
    )
    // Until they are returned, whoever changes the balance must compare the row.
    for (const lease of quiet) Object.assign(lease, { free: 0, isUncertain: true })
    try {
      await this.#store.giveBack(quiet.filter(({ hasRow }) => hasRow))
    } catch (error) {
      // The units stay leased without this node knowing, until the row is compared.
      this.#log.warn({ err: error }, 'idle leases could not be returned')
      return
    }
    for (const lease of quiet) {
      lease.seenRecalls = 0
      // A lease that is still used must not be forgotten: the next call would create a second one for the same row.
      if (isQuiet(lease) && lease.reservations === 0) this.#leases[lease.kind].delete(lease.id)
    }
  }
}

function isQuiet({ held, pending, owed, waiters }: Lease): boolean {
  return held === 0 && pending === 0 && owed === 0 && waiters.length === 0
}
