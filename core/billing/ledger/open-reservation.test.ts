import { describe, expect, it } from 'vitest'
import type { Lease } from './lease-book.ts'
import { type OpenReservation, OpenReservations } from './open-reservation.ts'

function reservation(requestId: string): OpenReservation {
  const user = { lease: {} as Lease, recall: 0 }
  const rest = { state: 'open', user, token: undefined, next: undefined } as const
  return { requestId, userId: 1, tokenId: 1, units: 1, ...rest }
}

describe('open reservations', () => {
  it.each([[[0, 1, 2]], [[2, 1, 0]], [[1, 2, 0]]])(
    'are found by their id, also beside others whose ids end alike, removed in order %j',
    (order) => {
      const open = new OpenReservations()
      // All three are kept under one number.
      const made = ['a', 'b', 'c'].map((first) => reservation(`${first}-12345678`))
      for (const one of made) open.add(one)
      const left = new Set(made)
      for (const place of order) {
        expect(open.size).toBe(left.size)
        for (const one of made)
          expect(open.find(one.requestId)).toBe(left.has(one) ? one : undefined)
        const gone = made[place] as OpenReservation
        open.delete(gone)
        open.delete(gone)
        left.delete(gone)
      }
      expect(open.size).toBe(0)
      expect(made.map(({ requestId }) => open.find(requestId))).toEqual([
        undefined,
        undefined,
        undefined,
      ])
    },
  )

  it('are found by ids shorter than what distinguishes them', () => {
    const open = new OpenReservations()
    const short = reservation('x')
    open.add(short)
    expect(open.find('x')).toBe(short)
    expect(open.find('y')).toBeUndefined()
  })
})
