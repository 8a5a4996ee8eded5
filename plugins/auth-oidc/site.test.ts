import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { OidcSite } from './site.ts'

const hour = 3_600_000
const metadata = {
  issuer: 'https://id.example',
  authorization_endpoint: 'https://id.example/authorize',
  token_endpoint: 'https://id.example/token',
  jwks_uri: 'https://id.example/keys',
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'performance'] }))
afterEach(() => void vi.useRealTimers())

it('asks the provider anew after ten minutes, also where the clock was set back meanwhile', async () => {
  const fetch = vi.fn(() => Promise.resolve({ status: 200, body: metadata }))
  const get = (key: string) => (key === 'oidc.well_known' ? 'https://id.example' : '')
  const site = new OidcSite({ fetch, options: { get } } as never)
  await site.metadata()
  vi.setSystemTime(Date.now() - hour)
  await site.metadata()
  expect(fetch).toHaveBeenCalledTimes(1)
  vi.advanceTimersByTime(hour / 2)
  await site.metadata()
  expect(fetch).toHaveBeenCalledTimes(2)
})
