import type { Reservation } from '../../contract/money-services.ts'
import type { Lease } from './lease-book.ts'

export interface OpenReservation extends Reservation {
  units: number
  state: 'open' | 'settled' | 'released'
  readonly user: Hold
  readonly token: Hold | undefined
  /** Another one under the same number. */
  next: OpenReservation | undefined
}

export interface Hold {
  readonly lease: Lease
  /** The lease's recall counter when the reservation began. */
  readonly recall: number
}

export function holdsOf({ user, token }: Pick<OpenReservation, 'user' | 'token'>): Hold[] {
  return token === undefined ? [user] : [user, token]
}

/** The last characters of an id are random. */
const HASHED_CHARS = 8

/** Open reservations by request, under a number of its id. V8 makes each new text that is looked up in a Map one of its
 *  own first, in the old generation, which takes as long as the rest of a reservation. */
export class OpenReservations {
  readonly #first = new Map<number, OpenReservation>()
  #size = 0

  get size(): number {
    return this.#size
  }

  find(requestId: string): OpenReservation | undefined {
    let one = this.#first.get(numberOf(requestId))
    while (one !== undefined && one.requestId !== requestId) one = one.next
    return one
  }

  add(reservation: OpenReservation): void {
    const number = numberOf(reservation.requestId)
    reservation.next = this.#first.get(number)
    this.#first.set(number, reservation)
    this.#size += 1
  }

  delete(reservation: OpenReservation): void {
    const number = numberOf(reservation.requestId)
    let before = this.#first.get(number)
    if (before === reservation) {
      if (reservation.next === undefined) this.#first.delete(number)
      else this.#first.set(number, reservation.next)
    } else {
      while (before !== undefined && before.next !== reservation) before = before.next
      if (before === undefined) return
      before.next = reservation.next
    }
    reservation.next = undefined
    this.#size -= 1
  }

  clear(): void {
    this.#first.clear()
    this.#size = 0
  }
}

function numberOf(requestId: string): number {
  let number = 0
  for (let at = Math.max(0, requestId.length - HASHED_CHARS); at < requestId.length; at += 1)
    number = (number * 31 + requestId.charCodeAt(at)) | 0
  return number
}
