// What reservations hold of the leases of this node.
import { type LeaseBook, LeaseLost } from './lease-book.ts'
import type { LeaseKind } from './lease-store-sql.ts'
import { type Hold, holdsOf, type OpenReservation } from './open-reservation.ts'

/** The balances that pay for a call. */
export type Places = Pick<OpenReservation, 'user' | 'token'>

export class Holds {
  readonly #book: LeaseBook

  constructor(book: LeaseBook) {
    this.#book = book
  }

  /** @param tokenId 0 if no token limits the call */
  places(userId: number, tokenId: number): Places {
    return {
      user: this.#on('user', userId),
      token: tokenId === 0 ? undefined : this.#on('token', tokenId),
    }
  }

  #on(kind: LeaseKind, id: number): Hold {
    const lease = this.#book.of(kind, id)
    return { lease, recall: lease.recall }
  }

  /** @throws quota.insufficient, quota.token_insufficient
   *  @throws LeaseLost if this node was taken for dead; new places can be held of */
  async take(places: Places, units: number): Promise<void> {
    if (units === 0) return
    const waiting: Hold[] = []
    const held: Hold[] = []
    for (const hold of holdsOf(places)) {
      if (this.#book.take(hold.lease, units)) held.push(hold)
      else waiting.push(hold)
    }
    if (waiting.length === 0) return
    const results = await Promise.allSettled(
      waiting.map((hold) =>
        this.#book.takeMore(hold.lease, units).then(() => void held.push(hold)),
      ),
    )
    // If both are refused, the user's refusal is reported.
    const refusal = results.find((result) => result.status === 'rejected')
    if (refusal === undefined) return
    for (const { lease, recall } of held) this.#book.unhold(lease, units, recall)
    throw refusal.reason
  }

  end(places: Places, units: number): void {
    for (const { lease, recall } of holdsOf(places)) this.#book.unhold(lease, units, recall)
  }

  /** Holds `units` more for an open call, and all of it anew where its leases went back to the balances as those of a dead node.
   *  @throws quota.insufficient, quota.token_insufficient */
  async extend(open: OpenReservation, units: number): Promise<void> {
    for (;;) {
      const isLost = open.user.lease.isLost
      const places = isLost ? this.places(open.userId, open.token?.lease.id ?? 0) : open
      const taken = isLost ? open.units + units : units
      if (!(await this.#isTaken(places, taken))) continue
      if (open.state !== 'open') {
        this.end(places, taken)
        throw new Error(`${open.requestId} was ${open.state} while it was being extended`)
      }
      if (isLost && !open.user.lease.isLost) {
        // Another extension was quicker.
        this.end(places, taken)
        continue
      }
      if (isLost) move(open, places)
      open.units += units
      return
    }
  }

  /** False if it was lost meanwhile. */
  async #isTaken(places: Places, units: number): Promise<boolean> {
    try {
      await this.take(places, units)
      return true
    } catch (error) {
      if (error instanceof LeaseLost) return false
      throw error
    }
  }
}

function move(open: OpenReservation, places: Places): void {
  for (const { lease } of holdsOf(open)) lease.reservations -= 1
  Object.assign(open, { user: places.user, token: places.token })
  for (const { lease } of holdsOf(open)) lease.reservations += 1
}
