import { fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { useSession } from '#console'
import { ConfirmHost } from '../../../console/kit/confirm.tsx'
import LoginScreen from './login-screen.tsx'

const user = { id: 7, username: 'ada', display_name: 'Ada', role: 1, status: 1, group: 'default' }

function show(address: string) {
  const router = createMemoryRouter(
    [
      { path: '/login', element: <LoginScreen /> },
      { path: '/token', element: <p>tokens</p> },
      { path: '/personal', element: <p>own page</p> },
    ],
    { initialEntries: [address] },
  )
  render(
    <>
      <ConfirmHost />
      <RouterProvider router={router} />
    </>,
  )
}

function logIn(name: string, password: string) {
  fireEvent.change(screen.getByLabelText('Username or e-mail'), { target: { value: name } })
  fireEvent.change(screen.getByLabelText('Password'), { target: { value: password } })
  fireEvent.click(screen.getByRole('button', { name: 'Sign in' }))
}

afterEach(() => {
  vi.unstubAllGlobals()
  useSession.getState().signOut()
})

describe('logging in', () => {
  it('stores the user and goes to the tokens', async () => {
    const fetch = vi.fn(async () => Response.json({ success: true, message: '', data: user }))
    vi.stubGlobal('fetch', fetch)
    show('/login')
    logIn(' ada ', 'correct horse')
    expect(await screen.findByText('tokens')).toBeTruthy()
    expect(JSON.parse(localStorage.getItem('user') ?? '')).toEqual(user)
    const [, init] = fetch.mock.calls[0] as unknown as [string, RequestInit]
    expect(JSON.parse(init.body as string)).toEqual({ username: 'ada', password: 'correct horse' })
  })

  it.each([
    { name: 'root', password: '123456', own: {}, says: /default password/ },
    {
      name: 'ada',
      password: 'made',
      own: { password_made: true },
      says: /not chosen this password/,
    },
  ])('asks $name for a password that others do not know', async ({ name, password, own, says }) => {
    vi.stubGlobal('fetch', async (path: string) =>
      Response.json({ success: true, message: '', data: path.endsWith('/self') ? own : user }),
    )
    show('/login')
    logIn(name, password)
    expect(await screen.findByText(says)).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: 'I will change it' }))
    expect(await screen.findByText('own page')).toBeTruthy()
  })

  it.each([
    { name: 'root', password: '123456', own: {}, says: /default password/ },
    {
      name: 'ada',
      password: 'made',
      own: { password_made: true },
      says: /not chosen this password/,
    },
  ])('asks $name after the second step, too', async ({ name, password, own, says }) => {
    const answers: Record<string, unknown> = {
      '/api/user/login': { require_2fa: true, methods: ['totp'] },
      '/api/user/self': own,
    }
    vi.stubGlobal('fetch', async (path: string) =>
      Response.json({ success: true, message: '', data: answers[path] ?? user }),
    )
    show('/login')
    logIn(name, password)
    fireEvent.change(await screen.findByLabelText('Code'), { target: { value: '123456' } })
    fireEvent.click(screen.getByRole('button', { name: 'Continue' }))
    expect(await screen.findByText(says)).toBeTruthy()
  })

  it('asks nobody whose first step was not the password', async () => {
    const own = { password_made: true }
    const fetch = vi.fn(async (path: string) =>
      Response.json({ success: true, message: '', data: path.endsWith('/self') ? own : user }),
    )
    vi.stubGlobal('fetch', fetch)
    show('/login?second_factor=true')
    fireEvent.change(await screen.findByLabelText('Code'), { target: { value: '123456' } })
    fireEvent.click(screen.getByRole('button', { name: 'Continue' }))
    expect(await screen.findByText('tokens')).toBeTruthy()
    expect(fetch.mock.calls.map(([path]) => path)).toEqual(['/api/user/login/2fa'])
  })

  it('shows why it was refused and stays', async () => {
    vi.stubGlobal('fetch', async () =>
      Response.json({ success: false, message: 'Wrong password.' }),
    )
    show('/login')
    logIn('ada', 'guess')
    expect(await screen.findByText('Wrong password.')).toBeTruthy()
    expect(useSession.getState().user).toBeUndefined()
  })

  it('keeps that in the form until it is sent again', async () => {
    let answer: () => Promise<Response> = async () =>
      Response.json({ success: false, message: 'Wrong password.' })
    vi.stubGlobal('fetch', () => answer())
    show('/login')
    logIn('ada', 'guess')
    const form = (await screen.findByLabelText('Password')).closest('form')
    expect(await within(form as HTMLElement).findByRole('alert')).toBeTruthy()
    answer = () => new Promise(() => undefined)
    logIn('ada', 'correct horse')
    await waitFor(() => expect(within(form as HTMLElement).queryByRole('alert')).toBeNull())
  })

  it('says that the session has expired', () => {
    show('/login?expired=true')
    expect(screen.getByText(/your session has expired/)).toBeTruthy()
  })
})
