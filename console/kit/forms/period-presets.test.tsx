import { describe, expect, it } from 'vitest'
import { presetOf, presets, startOf } from './period-presets.ts'

const now = new Date(2026, 4, 17, 15, 30)

describe('the presets of a period', () => {
  it.each(presets)('%s is known again by its start, also a little later', (preset) => {
    const start = startOf(preset, now)
    expect(presetOf(start, '', now)).toBe(preset)
    expect(presetOf(start, '', new Date(now.getTime() + 600_000))).toBe(preset)
  })

  it('today begins at midnight', () => {
    expect(startOf('today', now)).toBe(String(new Date(2026, 4, 17).getTime() / 1000))
  })

  it.each([
    ['', '', 'all'],
    ['', '5', 'own'],
    ['5', '', 'own'],
    [startOf('week', now), '1800000000', 'own'],
  ])('from %j to %j is %s', (start, end, preset) => {
    expect(presetOf(start, end, now)).toBe(preset)
  })
})
