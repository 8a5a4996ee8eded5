import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { AccountBindings } from './account-bindings.tsx'

afterEach(() => vi.unstubAllGlobals())

it('keeps the bindings when they cannot be read anew, and says so', async () => {
  const name = { en: 'Company sign-in', zh: '公司登录' }
  const data = [{ provider: 'company', name, kind: 'redirect', subject: 'u1', is_enabled: true }]
  let isAway = false
  vi.stubGlobal('fetch', async () => {
    if (isAway) throw new TypeError('no network')
    return Response.json({ success: true, message: '', data })
  })
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  render(
    <QueryClientProvider client={client}>
      <AccountBindings />
    </QueryClientProvider>,
  )
  await screen.findByText('Company sign-in')
  isAway = true
  await client.invalidateQueries()
  expect((await screen.findByRole('alert')).textContent).toContain('may be out of date')
  expect(screen.getByText('Company sign-in')).toBeTruthy()
})
