import { act, fireEvent, render, screen } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { useSession } from '../stores/session.ts'
import { watchUnsaved } from '../stores/unsaved.ts'
import { Guard } from './guard.tsx'
import { SignInAgainHost } from './sign-in-again.tsx'

const ada = { id: 7, username: 'ada', role: 1, group: 'default' }
let forget: () => void

beforeEach(() => {
  useSession.getState().signIn(ada)
  forget = watchUnsaved({ current: true })
  const form = (
    <Guard access="user">
      <p>what was typed</p>
    </Guard>
  )
  const routes = [
    {
      path: '/token',
      element: (
        <>
          {form}
          <SignInAgainHost />
        </>
      ),
    },
    { path: '/login', element: <p>signed out</p> },
  ]
  render(<RouterProvider router={createMemoryRouter(routes, { initialEntries: ['/token'] })} />)
})
afterEach(() => {
  forget()
  vi.unstubAllGlobals()
  act(() => useSession.getState().signOut())
})

function signOutElsewhere() {
  localStorage.removeItem('user')
  act(() => void window.dispatchEvent(new StorageEvent('storage', { key: 'user' })))
}

describe('a sign-out in another tab over something that is not saved', () => {
  it('asks, and goes on after the password', async () => {
    const fetch = vi.fn(async () => Response.json({ success: true, message: '', data: ada }))
    vi.stubGlobal('fetch', fetch)
    signOutElsewhere()
    expect(await screen.findByText('You have logged out in another tab')).toBeTruthy()
    fireEvent.change(screen.getByLabelText('Password of ada', { selector: 'input' }), {
      target: { value: 'hers' },
    })
    fireEvent.click(screen.getByRole('button', { name: 'Sign in' }))
    await expect.poll(() => useSession.getState()).toMatchObject({ user: { id: 7 }, isLeft: false })
    expect(screen.getByText('what was typed')).toBeTruthy()
  })

  it('leaves where that is wanted', async () => {
    signOutElsewhere()
    fireEvent.click(await screen.findByRole('button', { name: 'Leave without saving' }))
    expect(await screen.findByText('signed out')).toBeTruthy()
  })
})
