import { act, fireEvent, render, screen } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { BotCheckProps } from '../registry/console-plugin.ts'
import { useRegistry } from '../registry/registry.ts'
import { useSession } from '../stores/session.ts'
import { type Status, useStatusStore } from '../stores/status.ts'
import { watchUnsaved } from '../stores/unsaved.ts'
import { Guard } from './guard.tsx'
import { SignInAgainHost } from './sign-in-again.tsx'

const ada = { id: 7, username: 'ada', role: 1, group: 'default' }
const botCheck = {
  id: 'widget',
  owner: 'widget',
  isEnabled: () => true,
  load: async () => ({ default: Widget }),
}
let forget: () => void

function Widget({ onToken }: BotCheckProps) {
  return (
    <button type="button" onClick={() => onToken('proof')}>
      I am a person
    </button>
  )
}

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
  useRegistry.setState({ botChecks: [] })
  useStatusStore.setState({ status: undefined })
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

  it('sends what the bot check of the sign-in gives', async () => {
    const fetch = vi.fn(async () => Response.json({ success: true, message: '', data: ada }))
    vi.stubGlobal('fetch', fetch)
    useStatusStore.setState({ status: {} as Status })
    useRegistry.setState({ botChecks: [botCheck] })
    signOutElsewhere()
    fireEvent.change(await screen.findByLabelText('Password of ada', { selector: 'input' }), {
      target: { value: 'hers' },
    })
    fireEvent.click(await screen.findByRole('button', { name: 'I am a person' }))
    fireEvent.click(screen.getByRole('button', { name: 'Sign in' }))
    await expect.poll(() => fetch.mock.calls.length).toBe(1)
    expect(fetch).toHaveBeenCalledWith(
      expect.stringContaining('/api/user/login?turnstile=proof&bot_check=widget'),
      expect.anything(),
    )
  })
})
