import { describe, expect, it } from 'vitest'
import type { ChannelView, HttpClient } from '#core'
import openrouter from './index.ts'

function balanceOf(body: unknown): Promise<number> | undefined {
  const http = {
    json: () => Promise.resolve({ status: 200, headers: {}, body }),
  } as unknown as HttpClient
  const channel = { baseUrl: 'https://openrouter.ai/api', key: 'k' } as ChannelView
  return openrouter.fetchBalance?.(channel, http, {
    options: { get: <T>() => undefined as T },
    httpOptions: {},
    now: () => new Date(0),
  })
}

describe('the balance of an OpenRouter account', () => {
  it('is what is left of the credits', async () => {
    expect(await balanceOf({ data: { total_credits: 10, total_usage: 2.5 } })).toBe(7.5)
  })

  // A balance of 0 disables the channel.
  it.each([
    { data: {} },
    {},
    { data: { total_credits: 10 } },
    { data: { total_credits: null, total_usage: 2.5 } },
  ])('is no number, rather than none left, in %j', async (body) =>
    expect(await balanceOf(body)).toBeNaN(),
  )
})
