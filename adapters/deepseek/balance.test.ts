import { expect, it } from 'vitest'
import type { ChannelView, HttpClient } from '#core'
import deepseek from './index.ts'

function balanceOf(total_balance: unknown): Promise<number> | undefined {
  const body = { balance_infos: [{ currency: 'USD', total_balance }] }
  const http = {
    json: () => Promise.resolve({ status: 200, headers: {}, body }),
  } as unknown as HttpClient
  const channel = { baseUrl: 'https://api.deepseek.com', key: 'k' } as ChannelView
  return deepseek.fetchBalance?.(channel, http, {
    options: { get: <T>() => 7 as T },
    httpOptions: {},
    now: () => new Date(0),
  })
}

it('reads the balance, which DeepSeek writes as text', async () => {
  expect(await balanceOf('12.50')).toBe(12.5)
})

// A balance of 0 disables the channel.
it.each([null, '', undefined])(
  'takes %j for no figure, rather than for an empty account',
  async (total) => expect(await balanceOf(total)).toBeNaN(),
)
