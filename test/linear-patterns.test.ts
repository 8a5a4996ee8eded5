// No regular expression of the server takes more than linear time: one that does is a way to stop the gateway with one text.
import { beforeAll, describe, expect, it } from 'vitest'
import { proved } from './proved-patterns.ts'
import { reviewed } from './reviewed-patterns.ts'
import { loadChecker, readPatterns } from './server-patterns.ts'

const { literals, made } = readPatterns()
let check: Awaited<ReturnType<typeof loadChecker>>

beforeAll(async () => {
  check = await loadChecker()
})

describe('the patterns of the server', () => {
  it('stand in the source as literals, where this test sees them', () => {
    expect(made).toEqual([])
  })

  it('take linear time', { timeout: 400_000 }, () => {
    expect(literals.size).toBeGreaterThan(150)
    const faults = [...literals].flatMap(([shown, { source, flags, at }]) => {
      if (reviewed.has(shown) || proved.has(shown)) return []
      const status = check(source, flags)
      return status === 'safe' ? [] : [`${at} ${shown}: ${status}`]
    })
    expect(faults).toEqual([])
  })

  it('were each read by somebody where no proof is to be had, or are proved in linear-patterns.long.test.ts', () => {
    const named = [...reviewed.keys(), ...proved]
    expect(named.filter((shown) => !literals.has(shown))).toEqual([])
    expect([...proved].filter((shown) => reviewed.has(shown))).toEqual([])
  })

  it('are told apart from those that do not', () => {
    expect(check('/+$', '')).toBe('vulnerable')
    expect(check('^(?:a|aa)+$', '')).toBe('vulnerable')
  })
})
