import { expect, it, vi } from 'vitest'
import { atMostEvery } from './at-most-every.ts'

it('is due at once, and again when the time is over since it was last due', () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const isDue = atMostEvery(1_000)
  expect(isDue()).toBe(true)
  vi.advanceTimersByTime(999)
  expect(isDue()).toBe(false)
  vi.advanceTimersByTime(1)
  expect(isDue()).toBe(true)
  vi.advanceTimersByTime(999)
  expect(isDue()).toBe(false)
})
