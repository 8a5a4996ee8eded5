import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Status, useStatusStore } from '#console'
import LoginScreen from './login-screen.tsx'
import RegisterScreen from './register-screen.tsx'

const calls: { path: string; body: unknown }[] = []
let answer: object

beforeEach(() => {
  answer = { success: true, message: '' }
  vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
    calls.push({ path, body: JSON.parse((init.body as string | undefined) ?? 'null') as unknown })
    return Response.json(answer)
  })
})
afterEach(() => {
  calls.length = 0
  vi.useRealTimers()
  vi.unstubAllGlobals()
  localStorage.clear()
  useStatusStore.setState({ status: undefined })
})

async function show(status: Partial<Status>, address = '/register', login = <p>log in here</p>) {
  useStatusStore.setState({ status: { register_enabled: true, ...status } as Status })
  const router = createMemoryRouter(
    [
      { path: '/register', element: <RegisterScreen /> },
      { path: '/login', element: login },
    ],
    { initialEntries: [address] },
  )
  render(<RouterProvider router={router} />)
  await screen.findByRole('heading', { name: 'Register' })
}

function type(label: string, value: string) {
  fireEvent.change(screen.getByLabelText(label), { target: { value } })
}

function fill(repeat = 'correct horse') {
  type('Username', 'ada')
  type('Password', 'correct horse')
  type('Repeat the password', repeat)
}

const submit = () => fireEvent.click(screen.getByRole('button', { name: 'Create account' }))

describe('registering', () => {
  it('sends the invite code that came with the link, and goes to the login', async () => {
    await show({}, '/register?aff=Ab3x')
    fill()
    submit()
    expect(await screen.findByText('log in here')).toBeTruthy()
    expect(calls).toEqual([
      {
        path: '/api/user/register',
        body: {
          username: 'ada',
          password: 'correct horse',
          password2: 'correct horse',
          aff_code: 'Ab3x',
        },
      },
    ])
  })

  it('leaves only the password to be typed at the login', async () => {
    await show({}, '/register', <LoginScreen />)
    fill()
    submit()
    const name = await screen.findByLabelText<HTMLInputElement>('Username or e-mail')
    expect(name.value).toBe('ada')
    expect(document.activeElement).toBe(screen.getByLabelText('Password'))
  })

  it('asks for the same password twice before it sends anything', async () => {
    await show({})
    fill('another horse')
    submit()
    expect(await screen.findByText('The two passwords do not match.')).toBeTruthy()
    expect(calls).toEqual([])
  })

  it('says that a password is too long instead of keeping a part of it', async () => {
    await show({})
    fill()
    type('Password', 'x'.repeat(140))
    type('Repeat the password', 'x'.repeat(140))
    submit()
    expect(await screen.findByText('The password must be at most 128 characters.')).toBeTruthy()
    expect(calls).toEqual([])
  })

  it('shows why it was refused and stays', async () => {
    const message = 'This user name is taken.'
    answer = { success: false, message, values: { field: 'username' } }
    await show({})
    fill()
    submit()
    const name = screen.getByLabelText('Username')
    await waitFor(() => expect(document.activeElement).toBe(name))
    expect(name.closest('.arco-form-item')?.textContent).toContain(message)
  })

  it('shows no form while registration is closed', async () => {
    await show({ register_enabled: false })
    expect(screen.getByText('Registration is closed on this site.')).toBeTruthy()
    expect(screen.queryByLabelText('Username')).toBeNull()
  })

  it('offers what is open while registration by password is not', async () => {
    const name = { en: 'Acme', zh: 'Acme' }
    const method = { id: 'acme', kind: 'redirect', name, creates_accounts: true }
    const closed = {
      ...method,
      id: 'bound',
      name: { en: 'Bound', zh: 'Bound' },
      creates_accounts: false,
    }
    await show({ password_register_enabled: false, sign_in_methods: [method, closed] })
    expect(screen.getByText(/Continue with one of these/)).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Continue with Acme' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Continue with Bound' })).toBeNull()
    expect(screen.queryByLabelText('Username')).toBeNull()
  })

  it('has a code mailed, at most every thirty seconds', async () => {
    await show({ email_verification: true })
    vi.useFakeTimers()
    const press = async (name: string | RegExp) => {
      await act(async () => {
        fireEvent.click(screen.getByRole('button', { name }))
        await vi.advanceTimersByTimeAsync(0)
      })
    }
    await press('Send code')
    expect(calls).toEqual([])
    await act(async () => type('E-mail', 'ada@example.com'))
    await press('Send code')
    expect(calls.map(({ path }) => path)).toEqual(['/api/verification?email=ada%40example.com'])
    expect(screen.getByRole('button', { name: 'Send again (30 s)' })).toHaveProperty(
      'disabled',
      true,
    )
    for (let second = 0; second < 30; second += 1)
      await act(() => vi.advanceTimersByTimeAsync(1000))
    expect(screen.getByRole('button', { name: 'Send code' })).toHaveProperty('disabled', false)
  })
})
