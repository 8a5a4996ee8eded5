import type { Logger } from '../index.ts'
import { outsideTransaction } from '../data/write-gate.ts'
import { quotaInsufficient, tokenQuotaInsufficient } from './ledger-errors.ts'
import type { Growth, LeaseKind, LeaseStore } from './lease-store.ts'

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
  usedAtMs: number
  /** True once the database may have a row of it. */
  hasRow: boolean
  waiters: Waiter[]
  /** True once the lease went back to the balance behind our back: it pays for nothing any more. */
  isLost: boolean
}

/** A large balance lends this part of itself in advance, so that its calls seldom wait for a lease. */
const advancePart = 0.05
/** And never more than so many calls like the ones that ask. */
const advanceCalls = 200

/**
 * The leases of this node in memory, and the one writer that grows and returns them. Needs of all subjects that come
 * up while a transaction runs go into the next one together.
 */
export class LeaseBook {
  readonly #store: LeaseStore
  readonly #leases: Record<LeaseKind, Map<number, Lease>> = { user: new Map(), token: new Map() }
  readonly #short = new Set<Lease>()
  #work: Promise<void> | undefined
  readonly #log: Logger
  #returnLimitMs: number | undefined

  constructor(store: LeaseStore, log: Logger) {
    this.#store = store
    this.#log = log
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
      usedAtMs: Date.now(),
      hasRow: false,
      waiters: [],
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

  /** Takes the free units out of the book; the caller writes them back to the balance. */
  surrender(kind: LeaseKind, id: number): number {
    const lease = this.#leases[kind].get(id)
    const units = lease?.free ?? 0
    if (lease !== undefined) lease.free = 0
    return units
  }

  /** Returns leases that nothing has used for so long to their balances. */
  async returnIdle(idleMs: number): Promise<void> {
    this.#returnLimitMs = Date.now() - idleMs
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
  }

  #start(): void {
    // The writer serves all: it must not run as a part of the transaction of the one who woke it.
    this.#work ??= outsideTransaction(() => this.#write()).finally(() => {
      this.#work = undefined
      if (this.#short.size > 0) this.#start()
    })
  }

  async #write(): Promise<void> {
    // One turn of the event loop, so that what is asked for together is leased together.
    await Promise.resolve()
    while (this.#short.size > 0 || this.#returnLimitMs !== undefined) {
      if (this.#returnLimitMs !== undefined) await this.#giveBack(this.#returnLimitMs)
      if (this.#short.size > 0) await this.#grow()
    }
  }

  async #grow(): Promise<void> {
    const leases = [...this.#short]
    this.#short.clear()
    const growths = leases.map(growthOf)
    try {
      await this.#store.grow(growths)
    } catch (error) {
      for (const { lease, asked } of growths) {
        for (const waiter of lease.waiters.splice(0, asked)) waiter.reject(error)
        if (lease.waiters.length > 0) this.#short.add(lease)
      }
      return
    }
    for (const growth of growths) {
      serve(growth)
      if (growth.lease.waiters.length > 0) this.#short.add(growth.lease)
    }
  }

  async #giveBack(limitMs: number): Promise<void> {
    this.#returnLimitMs = undefined
    const quiet = [...this.#leases.user.values(), ...this.#leases.token.values()].filter(
      (lease) => isQuiet(lease) && lease.usedAtMs <= limitMs,
    )
    for (const lease of quiet) lease.free = 0
    try {
      await this.#store.giveBack(quiet.filter(({ hasRow }) => hasRow))
    } catch (error) {
      // The units stay leased, and in the book as such; the next round tries again.
      this.#log.warn({ error }, 'idle leases could not be returned')
      return
    }
    for (const lease of quiet) {
      if (isQuiet(lease)) this.#leases[lease.kind].delete(lease.id)
    }
  }
}

function hold(lease: Lease, units: number): void {
  lease.free -= units
  lease.held += units
  lease.usedAtMs = Date.now()
}

function isQuiet({ held, pending, waiters }: Lease): boolean {
  return held === 0 && pending === 0 && waiters.length === 0
}

/** What to lease, decided inside the transaction that has locked the balance. */
function growthOf(lease: Lease): Growth & { lease: Lease } {
  lease.hasRow = true
  const growth = {
    lease,
    kind: lease.kind,
    id: lease.id,
    asked: 0,
    granted: 0,
    isEnough: false,
    decide: (available: number) => {
      growth.asked = lease.waiters.length
      Object.assign(growth, unitsToLease(lease, available))
    },
  }
  return growth
}

function unitsToLease(lease: Lease, available: number): { granted: number; isEnough: boolean } {
  const total = lease.waiters.reduce((sum, { units }) => sum + units, 0)
  const need = Math.max(0, total - lease.free)
  if (available >= need) {
    const largest = lease.waiters.reduce((most, { units }) => Math.max(most, units), 0)
    const advance = Math.min(Math.floor(available * advancePart), advanceCalls * largest)
    // A small balance lends exactly what its calls need: what is left stays open to other nodes.
    return { granted: Math.max(need, advance), isEnough: true }
  }
  let fitting = 0
  for (const { units } of lease.waiters) {
    if (fitting + units <= lease.free + available) fitting += units
  }
  return { granted: Math.max(0, fitting - lease.free), isEnough: false }
}

function serve({ lease, granted, asked, isEnough }: Growth & { lease: Lease }): void {
  lease.free += granted
  const refuse = lease.kind === 'user' ? quotaInsufficient : tokenQuotaInsufficient
  const unserved: Waiter[] = []
  for (const waiter of lease.waiters.splice(0, asked)) {
    if (lease.free >= waiter.units) {
      hold(lease, waiter.units)
      waiter.resolve()
    } else if (isEnough) {
      // Free units that were counted on went to a charge meanwhile; the balance has more.
      unserved.push(waiter)
    } else {
      waiter.reject(refuse({ need: waiter.units }))
    }
  }
  lease.waiters.unshift(...unserved)
}

function leaseLost(): Error {
  return new Error('The lease of this balance was lost: another node took this one for dead')
}
