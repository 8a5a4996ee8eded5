import { describe, expect, it, vi } from 'vitest'
import type { RateLimitService } from '#core'
import { createRequestLimiter } from './request-limiter.ts'

const values: Readonly<Record<string, unknown>> = {
  ModelRequestRateLimitEnabled: true,
  ModelRequestRateLimitDurationMinutes: 1,
  ModelRequestRateLimitGroup: {},
  ModelRequestRateLimitCount: 7,
  ModelRequestRateLimitSuccessCount: 5,
}

describe('the success that is counted for a call', () => {
  const givenBack = async (isSuccess: boolean | undefined) => {
    const giveBack = vi.fn<RateLimitService['giveBack']>(async () => undefined)
    const isRefused = isSuccess === undefined
    const rateLimits = {
      take: async (key: string) => ({
        isAllowed: !isRefused || key.includes('success'),
        retryAfterSeconds: 0,
        place: `place of ${key}`,
      }),
      giveBack,
    } as unknown as RateLimitService
    const options = { get: <T>(key: string) => values[key] as T }
    const admitted = createRequestLimiter({ options, rateLimits }).admit({
      userId: 1,
      group: 'default',
    })
    if (isRefused) await expect(admitted).rejects.toMatchObject({ status: 429 })
    else (await admitted)?.done(isSuccess)
    return giveBack.mock.calls
  }

  const own = [['model-requests:success:1', 'place of model-requests:success:1']]

  it('is given back by its own place if the call fails', async () => {
    expect(await givenBack(false)).toEqual(own)
    expect(await givenBack(true)).toEqual([])
  })

  it('is given back if all calls together are too many', async () => {
    expect(await givenBack(undefined)).toEqual(own)
  })
})
