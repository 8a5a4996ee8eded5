// Decides how much a lease grows and which waiting calls that serves.
import {
  type AmountWords,
  quotaInsufficient,
  tokenQuotaExhausted,
  tokenQuotaInsufficient,
} from './ledger-errors.ts'
import type { Lease } from './lease-book.ts'
import type { Growth, LeaseKind } from './lease-store-sql.ts'

/** A large balance leases this part of itself in advance, so that its calls seldom wait. */
const advancePart = 0.05
/** But never more than this many calls of the size of those that wait. */
const advanceCalls = 200

export function hold(lease: Lease, units: number): void {
  lease.free -= units
  lease.held += units
  lease.usedAtMs = performance.now()
}

/** The units that the row of the lease should hold. */
export function knownUnits({ free, held, pending, owed }: Lease): number {
  return free + held + pending + owed
}

export interface LeaseGrowth extends Growth {
  lease: Lease
  spare: number
  /** The lease's recall counter when the balance was read. */
  recall: number
  /** True if nothing is left of the balance, neither leased nor free. */
  isUsedUp: boolean
  /** Units in the row that this node did not know of. */
  found: number
  /** True if no units were on their way between book and row during the comparison; otherwise some may not have been found. */
  isCertain: boolean
}

/** Decides what to lease, inside the transaction that has locked the balance. */
export function growthOf(lease: Lease): LeaseGrowth {
  lease.hasRow = true
  const growth = {
    lease,
    recall: lease.recall,
    kind: lease.kind,
    id: lease.id,
    // Whoever waits now is refused if the database fails before anything is decided.
    waiterCount: lease.waiters.length,
    granted: 0,
    spare: 0,
    found: 0,
    isCertain: false,
    isEnough: false,
    isUsedUp: false,
    isUncertain: lease.isUncertain,
    known: () => {
      growth.isCertain = lease.pending === 0 && lease.owed === 0
      return knownUnits(lease)
    },
    decide: (available: number, balance: number, found: number) => {
      growth.isUsedUp = balance <= 0
      growth.waiterCount = lease.waiters.length
      growth.recall = lease.recall
      growth.found = found
      Object.assign(growth, unitsToLease(lease, available, found))
    },
  }
  return growth
}

function unitsToLease(
  lease: Lease,
  available: number,
  found: number,
): { granted: number; spare: number; isEnough: boolean } {
  const total = lease.waiters.reduce((sum, { units }) => sum + units, 0)
  const free = lease.free + found
  const need = Math.max(0, total - free)
  if (available >= need) {
    const largest = lease.waiters.reduce((most, { units }) => Math.max(most, units), 0)
    const advance = Math.min(Math.floor(available * advancePart), advanceCalls * largest)
    // A small balance leases exactly what its calls need, so that the rest is available to other nodes.
    return { granted: Math.max(need, advance), spare: advance, isEnough: true }
  }
  let fitting = 0
  for (const { units } of lease.waiters) {
    if (fitting + units <= free + available) fitting += units
  }
  return { granted: Math.max(0, fitting - free), spare: 0, isEnough: false }
}

/** Serves the waiting calls. `wordsOf` writes the amounts that the refused ones lack.
 *  @returns true if one was refused */
export function serve(growth: LeaseGrowth, wordsOf: AmountWords): boolean {
  const { lease, waiterCount, isEnough, isUsedUp } = growth
  lease.free += growth.granted + growth.found
  lease.spare = growth.spare
  // If more was surrendered since then, the lease stays in doubt.
  if (growth.isCertain && growth.recall === lease.recall) lease.isUncertain = false
  const refuse = refusalOf(lease.kind, isUsedUp)
  const unserved: Lease['waiters'] = []
  let hasRefused = false
  for (const waiter of lease.waiters.splice(0, waiterCount)) {
    if (lease.free >= waiter.units) {
      hold(lease, waiter.units)
      waiter.resolve()
    } else if (isEnough) {
      // A charge has used the free units in the meantime; the balance has more.
      unserved.push(waiter)
    } else {
      hasRefused = true
      waiter.reject(refuse({ need: waiter.units, amount: wordsOf(waiter.units) }))
    }
  }
  lease.waiters.unshift(...unserved)
  return hasRefused
}

function refusalOf(kind: LeaseKind, isUsedUp: boolean): typeof quotaInsufficient {
  if (kind === 'user') return quotaInsufficient
  return isUsedUp ? tokenQuotaExhausted : tokenQuotaInsufficient
}
