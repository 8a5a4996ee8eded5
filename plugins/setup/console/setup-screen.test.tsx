import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { useSession } from '#console'
import SetupScreen from './setup-screen.tsx'

const state = { status: false, root_init: false, database_type: 'postgres' }
const user = { id: 1, username: 'ada', role: 100 }
const assign = vi.fn<(address: string) => void>()
let answers: Record<string, object>

beforeEach(() => {
  answers = {
    'GET /api/setup': { success: true, message: '', data: state },
    'POST /api/setup': { success: true, message: '' },
    'POST /api/user/login': { success: true, message: '', data: user },
  }
  vi.stubGlobal('fetch', async (path: string, { method }: RequestInit) =>
    Response.json(answers[`${method} ${path}`]),
  )
  vi.stubGlobal('location', { assign })
})

afterEach(() => {
  vi.unstubAllGlobals()
  assign.mockClear()
  useSession.getState().signOut()
})

function refuse(code: string, message: string, field?: string) {
  answers['POST /api/setup'] = { success: false, message, code, values: { field } }
}

async function initialise() {
  const router = createMemoryRouter([{ path: '*', element: <SetupScreen /> }])
  render(
    <QueryClientProvider client={new QueryClient()}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  fireEvent.change(await screen.findByLabelText('Username'), { target: { value: 'ada' } })
  for (const label of ['Password', 'Repeat the password']) {
    fireEvent.change(screen.getByLabelText(label), { target: { value: 'correct horse' } })
  }
  const submit = screen.getByRole('button', { name: 'Initialize system' })
  submit.focus()
  fireEvent.click(submit)
}

describe('the setup wizard', () => {
  it('shows a refusal at its field, which gets the cursor', async () => {
    refuse('account.invalid_username', 'The user name has a sign that cannot be seen.', 'username')
    await initialise()
    const field = screen.getByLabelText('Username')
    await waitFor(() => expect(document.activeElement).toBe(field))
    expect(field.getAttribute('aria-invalid')).toBe('true')
  })

  it('goes on where an earlier answer was lost on the way', async () => {
    refuse('setup.done', 'The system has been initialized already.')
    await initialise()
    await waitFor(() => expect(assign).toHaveBeenCalledWith('/overview'))
    expect(useSession.getState().user).toMatchObject({ username: 'ada' })
  })

  it('leads to the sign-in where somebody else has set up the system', async () => {
    refuse('setup.done', 'The system has been initialized already.')
    answers['POST /api/user/login'] = { success: false, message: 'Wrong.' }
    await initialise()
    await screen.findByText('The system has been initialized already.')
    await waitFor(() => expect(assign).toHaveBeenCalledWith('/login'))
  })
})
