import { describe, expect, it } from 'vitest'
import { actionsFor, mayReach, mayResetFactor } from './user-rights.ts'

const live = { status: 1, DeletedAt: null }

describe('what may be done with a user', () => {
  it.each([
    { own: 10, target: { ...live, role: 1 }, actions: ['disable', 'delete'] },
    { own: 10, target: { ...live, role: 1, status: 2 }, actions: ['enable', 'delete'] },
    { own: 10, target: { ...live, role: 10 }, actions: [] },
    { own: 100, target: { ...live, role: 1 }, actions: ['disable', 'promote', 'delete'] },
    { own: 100, target: { ...live, role: 10 }, actions: ['disable', 'demote', 'delete'] },
    { own: 100, target: { ...live, role: 100 }, actions: [] },
    { own: 100, target: { ...live, role: 1, status: 3 }, actions: ['promote', 'delete'] },
    { own: 100, target: { ...live, role: 1, DeletedAt: '2026-01-01T00:00:00Z' }, actions: [] },
  ])(
    'role $own on role $target.role, status $target.status: $actions',
    ({ own, target, actions }) => {
      expect(actionsFor(own, target)).toEqual(actions)
    },
  )

  it('offers to reset the second factor of lower roles alone, as the server allows it', () => {
    const offered = (own: number, target: number) => mayResetFactor(own, { ...live, role: target })
    expect([offered(100, 10), offered(10, 1)]).toEqual([true, true])
    expect([offered(100, 100), offered(10, 10), offered(10, 100)]).toEqual([false, false, false])
  })

  it('lets the super admin edit their own record', () => {
    expect(mayReach(100, { ...live, role: 100 })).toBe(true)
  })
})
