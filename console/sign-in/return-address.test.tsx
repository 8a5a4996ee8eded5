import { act, render, screen } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Owned, Screen } from '../registry/console-plugin.ts'
import { useRegistry } from '../registry/registry.ts'
import { Guard } from '../shell/guard.tsx'
import { useSession } from '../stores/session.ts'
import { takeReturnAddress } from './return-address.ts'

const ada = { id: 7, username: 'ada', role: 1, group: 'default' }
const bob = { ...ada, id: 8, username: 'bob' }
const screenAt = (path: string, access: Screen['access']): Owned<Screen> => ({
  path,
  access,
  title: 'title',
  owner: 'sample',
  load: async () => ({ default: () => null }),
})

/** Opens an address that needs a user. */
async function visit(address: string) {
  const guarded = <Guard access="user">seen</Guard>
  const routes = [
    { path: '/log', element: guarded },
    { path: '/channel', element: guarded },
    { path: '*', element: <p>Sign in</p> },
  ]
  render(<RouterProvider router={createMemoryRouter(routes, { initialEntries: [address] })} />)
}

function signedIn(user: typeof ada): string {
  useSession.getState().signIn(user)
  return takeReturnAddress('/token')
}

beforeEach(() => {
  sessionStorage.clear()
  useSession.getState().signOut()
  useRegistry.setState({ screens: [screenAt('/log', 'user'), screenAt('/channel', 'admin')] })
})

describe('after a sign-in', () => {
  it('a visitor is on the usual page, wherever he was turned away', async () => {
    await visit('/log?p=2')
    await screen.findByText('Sign in')
    expect(signedIn(ada)).toBe('/token')
  })

  it.each([
    ['whose session had ended is where he was', ada, '/log?p=2'],
    ['after the session of another is on the usual page', bob, '/token'],
  ])('one %s', async (_who, user, address) => {
    useSession.getState().signIn(ada)
    await visit('/log?p=2')
    await screen.findByText('seen')
    act(() => useSession.getState().expire())
    await screen.findByText('Sign in')
    expect(signedIn(user)).toBe(address)
    expect(takeReturnAddress('/token')).toBe('/token')
  })

  it('one is not where another was whose session had ended before the page was drawn', async () => {
    useSession.getState().signIn(ada)
    useSession.getState().expire()
    await visit('/log?username=carol')
    await screen.findByText('Sign in')
    expect(signedIn(bob)).toBe('/token')
  })

  it('one who had signed out is on the usual page', async () => {
    useSession.getState().signIn(ada)
    await visit('/log')
    await screen.findByText('seen')
    act(() => useSession.getState().signOut())
    await screen.findByText('Sign in')
    expect(signedIn(ada)).toBe('/token')
  })

  it('nobody is led to a screen that he may see no more', async () => {
    useSession.getState().signIn({ ...ada, role: 10 })
    await visit('/channel')
    await screen.findByText('seen')
    act(() => useSession.getState().expire())
    await screen.findByText('Sign in')
    expect(signedIn(ada)).toBe('/token')
  })
})
