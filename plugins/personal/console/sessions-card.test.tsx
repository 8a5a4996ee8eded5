import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { SessionsCard } from './sessions-card.tsx'

afterEach(() => vi.unstubAllGlobals())

it('names each button for the session that it ends, of several in one browser, too', async () => {
  const user_agent = 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0.0.0 Safari/537.36'
  const data = [1_700_000_000, 1_700_003_600].map((last_used_at) => ({
    id: `s${last_used_at}`,
    user_agent,
    address_class: '203.0.113.*',
    last_used_at,
    is_current: false,
  }))
  vi.stubGlobal('fetch', async () => Response.json({ success: true, message: '', data }))
  render(
    <QueryClientProvider client={new QueryClient()}>
      <SessionsCard />
    </QueryClientProvider>,
  )
  const buttons = await screen.findAllByRole('button', { name: /^End the session Chrome · Linux/ })
  const names = buttons.map((button) => button.getAttribute('aria-label'))
  expect(new Set(names).size).toBe(2)
})
