import { expect, it, vi } from 'vitest'
import { LiveSessions } from './live-sessions.ts'

const session = () => ({ end: vi.fn(), stop: vi.fn(), recheck: vi.fn(async () => undefined) })

it('asks every session once a second whether it would still be let in, until the last has left', () => {
  vi.useFakeTimers()
  const sessions = new LiveSessions({ all: 2, perUser: 1 })
  const [first, second] = [session(), session()]
  const places = [sessions.enter(1), sessions.enter(2)] as const
  sessions.begin(places[0], first)
  vi.advanceTimersByTime(1_000)
  sessions.begin(places[1], second)
  vi.advanceTimersByTime(1_000)
  expect(first.recheck).toHaveBeenCalledTimes(2)
  expect(second.recheck).toHaveBeenCalledTimes(1)
  for (const place of places) place.leave()
  vi.advanceTimersByTime(5_000)
  expect(first.recheck).toHaveBeenCalledTimes(2)
  expect(vi.getTimerCount()).toBe(0)
})
