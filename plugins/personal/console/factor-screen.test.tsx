import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { useSession } from '#console'
import FactorScreen from './factor-screen.tsx'

/** `isLocked`: the server lets the admin do nothing else before he has a second factor. */
function show({ isLocked, enabled = false }: { isLocked: boolean; enabled?: boolean }) {
  vi.stubGlobal('fetch', async (path: string) => {
    if (path === '/api/user/2fa/status')
      return answer({ enabled, locked: false, backup_codes_remaining: 0 })
    if (path === '/api/user/passkey') return answer({ passkeys: [] })
    if (path === '/api/user/notifiers' && isLocked)
      return Response.json({ success: false, message: 'No.', code: 'auth.factor_required' })
    return answer([])
  })
  useSession.setState({ user: { id: 3, username: 'ada', role: 10, group: 'default' } })
  const router = createMemoryRouter(
    [
      { path: '/second-factor', element: <FactorScreen /> },
      { path: '/personal', element: <p>the own page</p> },
    ],
    { initialEntries: ['/second-factor'] },
  )
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  render(
    <QueryClientProvider client={client}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
}

function answer(data: unknown): Response {
  return Response.json({ success: true, message: '', data })
}

afterEach(() => vi.unstubAllGlobals())

describe('the screen of the second factor', () => {
  it('leads to the own page whom the server lets go on without one', async () => {
    show({ isLocked: false })
    expect(await screen.findByText('the own page')).toBeTruthy()
  })

  it('holds an admin who must have one', async () => {
    show({ isLocked: true })
    expect(await screen.findByText(/nothing else of the console is open/)).toBeTruthy()
  })

  it('lets whom has one go on', async () => {
    show({ isLocked: false, enabled: true })
    expect(await screen.findByText(/The console is open to you/)).toBeTruthy()
    expect(screen.queryByText('the own page')).toBeNull()
  })
})
