import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { useSession } from '#console'
import Calls from './calls.tsx'
import ErrorRate from './error-rate.tsx'

afterEach(() => vi.unstubAllGlobals())

it('counts the calls that failed among those of the day, of which a share failed', async () => {
  const quiet = { quota: 0, calls: 0, errors: 0 }
  const today = { quota: 5, calls: 1, errors: 3 }
  useSession.setState({ user: { id: 1, username: 'ada', role: 10, group: 'default' } })
  const data = {
    checklist: { call: true },
    today,
    days: [...Array.from({ length: 6 }, () => quiet), today],
  }
  vi.stubGlobal('fetch', async () => Response.json({ success: true, message: '', data }))
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Calls />
      <ErrorRate />
    </QueryClientProvider>,
  )
  expect(await screen.findAllByText('75%')).toBeTruthy()
  expect(screen.getAllByText('4')).toBeTruthy()
  expect(screen.getByText('4 in seven days')).toBeTruthy()
})
