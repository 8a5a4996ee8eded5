import type { Reservation } from '../../contract/money-services.ts'
import type { Lease } from './lease-book.ts'

export interface OpenReservation extends Reservation {
  units: number
  state: 'open' | 'settled' | 'released'
  readonly user: Hold
  readonly token: Hold | undefined
}

export interface Hold {
  readonly lease: Lease
  /** The lease's recall counter when the reservation began. */
  readonly recall: number
}

export function holdsOf({ user, token }: Pick<OpenReservation, 'user' | 'token'>): Hold[] {
  return token === undefined ? [user] : [user, token]
}
