import { render, screen } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'
import { afterEach, expect, it, vi } from 'vitest'
import CallbackScreen from './callback-screen.tsx'

afterEach(() => vi.unstubAllGlobals())

it('says of a provider that is off, or never was, that the site has no such way to sign in', async () => {
  const refusal = { error: { message: 'Invalid URL (GET /api/oauth/gone)' } }
  vi.stubGlobal('fetch', async () => Response.json(refusal, { status: 404 }))
  const router = createMemoryRouter([{ path: '/oauth/:provider', element: <CallbackScreen /> }], {
    initialEntries: ['/oauth/gone'],
  })
  render(<RouterProvider router={router} />)
  expect(await screen.findByText(/does not have that way to sign in/)).toBeTruthy()
  expect(screen.queryByText(/Invalid URL/)).toBeNull()
})
