import type { Logger } from '../../contract/services.ts'
import { outsideTransaction } from '../../data/write-gate.ts'
import { isAway } from '../../data/database-errors.ts'
import { growthOf, hold, knownUnits, serve } from './lease-growth.ts'
import type { LeaseKind, LeaseStore } from './lease-store-sql.ts'

interface Waiter {
  units: number
  resolve: () => void
  reject: (error: unknown) => void
}

/** The part of one balance that this node holds. In the database it is one number: free + held + pending. */
export interface Lease {
  readonly kind: LeaseKind
  readonly id: number
  /** Units nobody has reserved. */
  free: number
  /** Units of open reservations. */
  held: number
  /** Units of settlements whose commit is under way. */
  pending: number
  /** Of a clock that no jump of the machine's moves. */
  usedAtMs: number
  /** Open reservations that will be paid from it, also those of nothing, which may be extended. */
  reservations: number
  /** True once the database may have a row of it. */
  hasRow: boolean
  waiters: Waiter[]
  /** Grows with each recall: what was held before one does not become free after it. */
  recall: number
  /** The recalls of other nodes that were followed, as the row counts them. */
  seenRecalls: number
  /** Units that a recall took, until they are back in the balance. */
  owed: number
  /** True when units may have been leased and nobody here heard of it. */
  isUncertain: boolean
  /** True once the lease went back to the balance behind our back: it pays for nothing any more. */
  isLost: boolean
}

/** Units on their way back to their balances. */
interface Payment {
  /** Grows by one each, so that the database knows one that it has seen. */
  number: number
  debts: readonly { lease: Lease; units: number }[]
}

interface Charge {
  reserved: number
  units: number
  /** Of the lease when the units were held. */
  recall: number
}

/**
 * The leases of this node in memory, and the one writer that grows and returns them. Needs of all subjects that come
 * up while a transaction runs go into the next one together.
 */
export class LeaseBook {
  readonly #store: LeaseStore
  readonly #leases: Record<LeaseKind, Map<number, Lease>> = { user: new Map(), token: new Map() }
  readonly #short = new Set<Lease>()
  readonly #owing = new Set<Lease>()
  /** Those whose growth may be committed and has not been heard of yet. */
  readonly #growing = new Set<Lease>()
  /** Under way, or failed: then it may have happened, so it is repeated as it was. */
  #payment: Payment | undefined
  #payments = 0
  #work: Promise<void> | undefined
  readonly #log: Logger
  readonly #tell: { usedUp: (lease: Lease) => void; failed: (error: unknown) => void }
  #growthBeganMs: number | undefined
  #returnLimitMs: number | undefined

  /** `usedUp` hears of each balance that refused because nothing is left of it, `failed` of leases that could not be written. */
  constructor(
    store: LeaseStore,
    log: Logger,
    tell: { usedUp: (lease: Lease) => void; failed: (error: unknown) => void },
  ) {
    this.#store = store
    this.#log = log
    this.#tell = tell
  }

  /** When the growth under way began, as performance.now; undefined when there is none. */
  get growthBeganMs(): number | undefined {
    return this.#growthBeganMs
  }

  of(kind: LeaseKind, id: number): Lease {
    const known = this.#leases[kind].get(id)
    if (known !== undefined) return known
    const lease: Lease = {
      kind,
      id,
      free: 0,
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

  /** Holds `units` at once when the lease has them free; those who wait come first. */
  take(lease: Lease, units: number): boolean {
    if (lease.free < units || lease.waiters.length > 0 || lease.isLost) return false
    hold(lease, units)
    return true
  }

  /** Holds `units`, with more from the balance. @throws quota.insufficient, quota.token_insufficient */
  takeMore(lease: Lease, units: number): Promise<void> {
    if (lease.isLost) return Promise.reject(leaseLost())
    const held = new Promise<void>((resolve, reject) =>
      lease.waiters.push({ units, resolve, reject }),
    )
    this.#short.add(lease)
    this.#start()
    return held
  }

  /**
   * Takes the free units out of the book; the caller writes them back to the balance. What is held now goes back by
   * itself as far as its calls don't need it.
   */
  surrender(kind: LeaseKind, id: number): number {
    const lease = this.#leases[kind].get(id)
    if (lease === undefined) return 0
    const units = lease.free
    lease.free = 0
    lease.recall += 1
    return units
  }

  /**
   * What the book knows of a lease whose row may hold more: the row of one that was taken out of the book in a transaction that was
   * rolled back, or whose growth was not heard of. Undefined when there is no doubt, or while a growth is under way. Ask with the
   * balance locked, and before the row is read.
   */
  knownOfDoubtful(kind: LeaseKind, id: number): number | undefined {
    const lease = this.#leases[kind].get(id)
    if (lease === undefined || !lease.isUncertain || this.#growing.has(lease)) return undefined
    return knownUnits(lease)
  }

  /** What was surrendered may not have been written: the next who has the row locked compares it with the book. */
  doubt(kind: LeaseKind, id: number): void {
    const lease = this.#leases[kind].get(id)
    if (lease !== undefined) lease.isUncertain = true
  }

  /** As `surrender`, but the book returns the units. @returns false when this recall was followed before */
  recall(kind: LeaseKind, id: number, recalls: number): boolean {
    const lease = this.#leases[kind].get(id)
    if (lease === undefined || recalls <= lease.seenRecalls) return false
    lease.seenRecalls = recalls
    this.giveUp(lease, this.surrender(kind, id))
    return true
  }

  /** Ends a hold that was made at the given recall: what is over is free, or goes back when the lease was recalled since. */
  unhold(lease: Lease, units: number, recall: number): void {
    lease.held -= units
    if (recall === lease.recall) lease.free += units
    else this.giveUp(lease, units)
  }

  /**
   * Ends a hold of `reserved` units with a charge of `units`. What the charge exceeds the hold by comes from free units of
   * the lease, and from the balance itself when there are none.
   * @returns the units that the lease pays
   */
  charge(lease: Lease, { reserved, units, recall }: Charge): number {
    const part = Math.min(reserved, units)
    const extra = Math.min(lease.free, units - part)
    this.unhold(lease, reserved - part, recall)
    lease.held -= part
    lease.free -= extra
    lease.pending += part + extra
    return part + extra
  }

  /** Ends a charge that was not written. */
  unpend(lease: Lease, units: number, recall: number): void {
    lease.pending -= units
    lease.held += units
    this.unhold(lease, units, recall)
  }

  /** Takes units that left `free` or `held` back to the balance. */
  giveUp(lease: Lease, units: number): void {
    if (units === 0 || lease.isLost) return
    lease.owed += units
    this.#owing.add(lease)
    this.#start()
  }

  /** Returns leases that nothing has used for so long to their balances. */
  async returnIdle(idleMs: number): Promise<void> {
    for (const leases of Object.values(this.#leases)) {
      for (const lease of leases.values()) if (lease.owed > 0) this.#owing.add(lease)
    }
    this.#returnLimitMs = performance.now() - idleMs
    this.#start()
    await this.settled()
  }

  /** Resolves when the writer rests. */
  async settled(): Promise<void> {
    while (this.#work !== undefined) await this.#work
  }

  /** Forgets all leases: the node was taken for dead and they went back to their balances. */
  forfeit(): void {
    for (const leases of Object.values(this.#leases)) {
      for (const lease of leases.values()) {
        lease.isLost = true
        for (const waiter of lease.waiters.splice(0)) waiter.reject(leaseLost())
      }
      leases.clear()
    }
    this.#short.clear()
    this.#owing.clear()
    this.#payment = undefined
  }

  #start(): void {
    // The writer serves all: it must not run as a part of the transaction of the one who woke it.
    this.#work ??= outsideTransaction(() => this.#write()).finally(() => {
      this.#work = undefined
      if (this.#short.size > 0 || this.#owing.size > 0) this.#start()
    })
  }

  async #write(): Promise<void> {
    // One turn of the event loop, so that what is asked for together is leased together.
    await Promise.resolve()
    while (this.#short.size > 0 || this.#owing.size > 0 || this.#returnLimitMs !== undefined) {
      // First, so that what is leased next may be it.
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
      // The next idle round tries again; nobody can spend them meanwhile.
      this.#log.warn({ error }, 'recalled leases could not be returned')
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
    this.#growthBeganMs = performance.now()
    for (const lease of leases) this.#growing.add(lease)
    try {
      await this.#store.grow(growths)
    } catch (error) {
      this.#growing.clear()
      this.#tell.failed(error)
      for (const { lease, asked } of growths) {
        lease.isUncertain ||= isAway(error)
        for (const waiter of lease.waiters.splice(0, asked)) waiter.reject(error)
        if (lease.waiters.length > 0) this.#short.add(lease)
      }
      return
    } finally {
      this.#growthBeganMs = undefined
    }
    this.#growing.clear()
    for (const growth of growths) {
      if (serve(growth) && growth.isUsedUp) this.#tell.usedUp(growth.lease)
      // Leased from a balance as it was before the recall.
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
    // Until they are back, whoever changes the balance must look at the row.
    for (const lease of quiet) Object.assign(lease, { free: 0, isUncertain: true })
    try {
      await this.#store.giveBack(quiet.filter(({ hasRow }) => hasRow))
    } catch (error) {
      // The units stay leased, and nobody here knows of them until they are looked for.
      this.#log.warn({ error }, 'idle leases could not be returned')
      return
    }
    for (const lease of quiet) {
      lease.seenRecalls = 0
      // Forgotten, it would be made anew for the next call, and two would account for one row.
      if (isQuiet(lease) && lease.reservations === 0) this.#leases[lease.kind].delete(lease.id)
    }
  }
}

function isQuiet({ held, pending, owed, waiters }: Lease): boolean {
  return held === 0 && pending === 0 && owed === 0 && waiters.length === 0
}

function leaseLost(): Error {
  return new Error('The lease of this balance was lost: another node took this one for dead')
}
