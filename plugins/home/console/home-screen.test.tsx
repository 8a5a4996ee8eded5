import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router-dom'
import { afterEach, expect, it, vi } from 'vitest'
import HomeScreen from './home-screen.tsx'

const answered = (data: string) => Response.json({ success: true, message: '', data })

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

function show(): void {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MemoryRouter>
        <HomeScreen />
      </MemoryRouter>
    </QueryClientProvider>,
  )
}

it('shows nothing before it knows whether a notice stands above', async () => {
  const told = Promise.withResolvers<string>()
  vi.stubGlobal('fetch', async (address: string) =>
    answered(address.endsWith('/notice') ? await told.promise : ''),
  )
  show()
  await act(() => new Promise((resolve) => setTimeout(resolve, 50)))
  expect(screen.queryByRole('heading', { level: 1 })).toBeNull()
  told.resolve('Maintenance on Sunday.')
  await screen.findByText('Maintenance on Sunday.')
  expect(screen.getByRole('heading', { level: 1 })).toBeDefined()
})

it('waits three seconds for a notice, and shows one that comes later', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
  const told = Promise.withResolvers<string>()
  vi.stubGlobal('fetch', async (address: string) =>
    answered(address.endsWith('/notice') ? await told.promise : ''),
  )
  show()
  await act(() => vi.advanceTimersByTimeAsync(2_500))
  expect(screen.queryByRole('heading', { level: 1 })).toBeNull()
  await act(() => vi.advanceTimersByTimeAsync(1_000))
  expect(screen.getByRole('heading', { level: 1 })).toBeDefined()
  told.resolve('Maintenance on Sunday.')
  await screen.findByText('Maintenance on Sunday.')
})
