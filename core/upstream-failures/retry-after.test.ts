import { describe, expect, it, vi } from 'vitest'
import { readRetryAfter } from './retry-after.ts'

describe('Retry-After', () => {
  it.each([
    ['7', 7],
    ['0.2', 1],
    ['0', 0],
    ['-3', 0],
    ['Fri, 02 Jan 2026 03:05:00 GMT', 55],
    ['Fri, 02 Jan 2026 03:00:00 GMT', 0],
    ['', undefined],
    [' ', undefined],
    ['soon', undefined],
    ['Infinity', undefined],
    [undefined, undefined],
  ])('%j is %j seconds', (header, seconds) => {
    vi.useFakeTimers({ now: new Date('2026-01-02T03:04:05Z') })
    try {
      expect(readRetryAfter(header)).toBe(seconds)
    } finally {
      vi.useRealTimers()
    }
  })
})
