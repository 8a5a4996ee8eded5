import { render, screen } from '@testing-library/react'
import { createMemoryRouter, RouterProvider, useLocation } from 'react-router-dom'
import { beforeEach, describe, expect, it } from 'vitest'
import { useSession } from '../stores/session.ts'
import { Guard } from './guard.tsx'

function Address() {
  const { pathname, search } = useLocation()
  return <p>at {pathname + search}</p>
}

function show(access: 'user' | 'admin') {
  const secret = <Guard access={access}>secret</Guard>
  const routes = [
    { path: '/token', element: secret },
    { path: '*', element: <Address /> },
  ]
  const router = createMemoryRouter(routes, { initialEntries: ['/token'] })
  render(<RouterProvider router={router} />)
}

beforeEach(() => useSession.getState().signOut())

describe('a screen that needs a user', () => {
  it('sends a visitor to sign in', async () => {
    show('user')
    expect(await screen.findByText('at /login')).toBeTruthy()
  })

  it('says so when the session has expired', async () => {
    useSession.getState().expire()
    show('user')
    expect(await screen.findByText('at /login?expired=true')).toBeTruthy()
  })

  it('does not exist for someone below its role', async () => {
    useSession.getState().signIn({ id: 7, username: 'ada', role: 1, group: 'default' })
    show('admin')
    expect(await screen.findByText('Page not found')).toBeTruthy()
  })
})
