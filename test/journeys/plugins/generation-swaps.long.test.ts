// 300 switches of a plugin and of an adapter that serves calls meanwhile, by the measure of the benchmark.
import { beforeAll, describe, expect, it } from 'vitest'
import { measureSwaps, type SwapTimes } from '../../bench/generation-swaps.ts'

/** A kept generation holds about a megabyte: three hundred of them, or one of fifty, would be above this. */
const ALLOWED_HEAP_MEGABYTES = 5
const ALLOWED_RSS_MEGABYTES = 60

describe('300 switches of a plugin and of versions of an adapter, under load', () => {
  let measured: SwapTimes

  beforeAll(async () => {
    measured = await measureSwaps(300)
  }, 600_000)

  it('fail no call', () => {
    expect(measured.failures).toBe(0)
    expect(measured.requests).toBeGreaterThan(300)
  })

  it('leave the memory of the process where it was', () => {
    const [first, last] = [measured.memory.at(0), measured.memory.at(-1)]
    const grown = (read: 'heapMegabytes' | 'rssMegabytes') =>
      (last?.[read] ?? Number.NaN) - (first?.[read] ?? Number.NaN)
    expect(last?.swaps).toBe(300)
    expect(grown('heapMegabytes')).toBeLessThan(ALLOWED_HEAP_MEGABYTES)
    expect(grown('rssMegabytes')).toBeLessThan(ALLOWED_RSS_MEGABYTES)
  })
})
