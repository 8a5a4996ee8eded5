import { describe, expect, it } from 'vitest'
import { textsOf } from '../texts/use-texts.ts'
import { firstNames } from './first-names.ts'
import { formatCount, formatQuota, unitsOf } from './quota.ts'
import { formatPercent } from './percent.ts'
import { formatClock, formatDay, formatDuration, formatRelative, formatTime } from './time.ts'

describe('showing quota', () => {
  it.each([
    { units: 500_000, shown: '$1' },
    { units: 750_000, shown: '$1.50' },
    { units: 1, shown: '$0.000002' },
    { units: 0.05, shown: '$0.0000001' },
    { units: 0.0001234, shown: '$0.000000000247' },
    { units: -250_000, shown: '-$0.50' },
    { units: 617_284_000_000, shown: '$1,234,568' },
  ])('writes $units units as $shown', ({ units, shown }) => {
    expect(formatQuota(units, { quotaPerUnit: 500_000, inCurrency: true })).toBe(shown)
  })

  it.each([
    { count: 9_999, shown: '9,999' },
    { count: 12_345, shown: '12.34k' },
    { count: 999_999, shown: '999.99k' },
    { count: 4_560_000, shown: '4.56M' },
    { count: -2_500_000_000, shown: '-2.5B' },
  ])('counts $count as $shown, never more than there is', ({ count, shown }) => {
    expect(formatCount(count)).toBe(shown)
  })

  it('makes whole units of dollars', () => {
    expect(unitsOf(0.1, 500_000)).toBe(50_000)
  })
})

describe('showing times', () => {
  it.each([
    { ms: 340, shown: '340 ms' },
    { ms: 1_240, shown: '1.2 s' },
    { ms: 119_700, shown: '2 min 0 s' },
    { ms: 200_000, shown: '3 min 20 s' },
    { ms: 7_500_000, shown: '2 h 5 min' },
  ])('writes $ms ms as $shown', ({ ms, shown }) => {
    expect(formatDuration(ms)).toBe(shown)
  })

  it('writes the day and the clock of a local time', () => {
    const at = new Date(2026, 2, 4, 5, 6, 7, 80).getTime()
    expect(formatTime(Math.floor(at / 1000))).toBe('2026-03-04 05:06:07')
    expect(formatDay(at / 1000)).toBe('2026-03-04')
    expect(formatClock(at)).toBe('05:06:07.080')
  })

  it('says how far away a time is', () => {
    expect(formatRelative(1000 - 180, 'en', 1_000_000)).toBe('3 minutes ago')
  })
})

describe('showing shares', () => {
  it.each([
    { share: 0, shown: '0%' },
    { share: 0.0004, shown: '<0.1%' },
    { share: 0.0414, shown: '4.1%' },
    { share: 0.5, shown: '50%' },
    { share: 0.9999, shown: '99.9%' },
    { share: 1, shown: '100%' },
  ])('writes $share as $shown', ({ share, shown }) => {
    expect(formatPercent(share)).toBe(shown)
  })
})

describe('names in a tooltip', () => {
  const names = Array.from({ length: 2001 }, (_, at) => `m-${at}`)

  it('are listed while there are few, and counted from the twenty-first on', () => {
    expect(firstNames(names.slice(0, 3), textsOf())).toBe('m-0, m-1, m-2')
    expect(firstNames(names.slice(0, 20), textsOf())).toMatch(/m-19$/)
    expect(firstNames(names, textsOf())).toMatch(/m-18, m-19 and 1,981 more$/)
  })
})
