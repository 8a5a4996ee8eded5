import { afterEach, expect, it, vi } from 'vitest'
import { newRequestId } from './request-id.ts'

afterEach(() => void vi.useRealTimers())

it('begins with the local second in which it was made', () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  for (const second of ['07', '07', '08']) {
    vi.setSystemTime(new Date(2031, 3, 5, 6, 59, Number(second), 250))
    expect(newRequestId()).toMatch(new RegExp(`^203104050659${second}250\\d{6}[0-9A-Za-z]{8}$`))
  }
})

it('is another one for each request', () => {
  const ids = Array.from({ length: 2_000 }, newRequestId)
  expect(new Set(ids).size).toBe(ids.length)
})
