import { describe, expect, it, vi } from 'vitest'
import type { RateLimitService } from '#core'
import { createRequestLimiter } from './request-limiter.ts'

const values: Readonly<Record<string, unknown>> = {
  ModelRequestRateLimitEnabled: true,
  ModelRequestRateLimitDurationMinutes: 1,
  ModelRequestRateLimitGroup: {},
  ModelRequestRateLimitCount: 0,
  ModelRequestRateLimitSuccessCount: 5,
}

describe('the success of a call that failed', () => {
  const returnedAfter = async (ms: number) => {
    const giveBack = vi.fn(async () => undefined)
    const rateLimits = {
      take: async () => ({ isAllowed: true, retryAfterSeconds: 0 }),
      giveBack,
    } as unknown as RateLimitService
    const options = { get: <T>(key: string) => values[key] as T }
    const clock = vi.spyOn(performance, 'now').mockReturnValue(1_000)
    const taken = await createRequestLimiter({ options, rateLimits }).admit({
      userId: 1,
      group: 'default',
    })
    clock.mockReturnValue(1_000 + ms)
    taken?.done(false)
    return giveBack.mock.calls.length
  }

  it('is given back within the window', async () => {
    expect(await returnedAfter(59_999)).toBe(1)
  })

  it('is not after it: the newest entry belongs to another call by then', async () => {
    expect(await returnedAfter(60_000)).toBe(0)
  })
})
