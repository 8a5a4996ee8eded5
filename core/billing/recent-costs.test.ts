import { describe, expect, it } from 'vitest'
import { RecentCosts } from './recent-costs.ts'

describe('what calls lately cost', () => {
  it('is what 95 of 100 cost at most, of the account before all accounts', () => {
    const costs = new RecentCosts()
    expect(costs.likely(1, 'm')).toBeUndefined()
    for (let units = 1; units <= 20; units += 1) costs.add(1, 'm', units)
    expect(costs.likely(1, 'm')).toEqual({ units: 19, rule: 'recent_account' })
    expect(costs.likely(2, 'm')).toEqual({ units: 19, rule: 'recent_model' })
    costs.add(2, 'm', 500)
    expect(costs.likely(2, 'm')).toEqual({ units: 500, rule: 'recent_account' })
    expect(costs.likely(1, 'other')).toBeUndefined()
  })

  it('forgets the oldest', () => {
    const costs = new RecentCosts()
    for (let call = 0; call < 40; call += 1) costs.add(1, 'm', 1_000)
    for (let call = 0; call < 32; call += 1) costs.add(1, 'm', 10)
    expect(costs.likely(1, 'm')).toEqual({ units: 10, rule: 'recent_account' })
  })
})
