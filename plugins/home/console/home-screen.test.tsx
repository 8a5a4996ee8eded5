import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router-dom'
import { afterEach, expect, it, vi } from 'vitest'
import HomeScreen from './home-screen.tsx'

const answered = (data: string) => Response.json({ success: true, message: '', data })

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

it('shows nothing before it knows whether a notice stands above', async () => {
  const told = Promise.withResolvers<string>()
  vi.stubGlobal('fetch', async (address: string) =>
    answered(address.endsWith('/notice') ? await told.promise : ''),
  )
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MemoryRouter>
        <HomeScreen />
      </MemoryRouter>
    </QueryClientProvider>,
  )
  await act(() => new Promise((resolve) => setTimeout(resolve, 50)))
  expect(screen.queryByRole('heading', { level: 1 })).toBeNull()
  told.resolve('Maintenance on Sunday.')
  await screen.findByText('Maintenance on Sunday.')
  expect(screen.getByRole('heading', { level: 1 })).toBeDefined()
})
