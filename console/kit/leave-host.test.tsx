import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import {
  createBrowserRouter,
  createMemoryRouter,
  RouterProvider,
  useLocation,
  useNavigate,
} from 'react-router-dom'
import { describe, expect, it, vi } from 'vitest'
import { ConfirmHost, confirm } from './confirm.tsx'
import { SidePanel } from './forms/drawer.tsx'
import { LeaveHost } from './leave-host.tsx'
import { LeaveGuard, useLeaveQuestion } from './forms/leave-question.tsx'

function List() {
  const [isOpen, setOpen] = useState(true)
  const { hasChanges, setChanged, close } = useLeaveQuestion(() => setOpen(false))
  return (
    <>
      <p>list</p>
      <SidePanel title="Thing" isOpen={isOpen} onClose={close}>
        <LeaveGuard hasChanges={hasChanges} />
        <button type="button" onClick={() => setChanged(true)}>
          change
        </button>
        <button type="button" onClick={() => void confirm({ title: 'Sure?', confirmLabel: 'Yes' })}>
          ask
        </button>
      </SidePanel>
      <LeaveHost />
      <ConfirmHost />
    </>
  )
}

/** The drawer has an address of its own. */
function Addressed() {
  const isOpen = useLocation().pathname === '/list/edit'
  const navigate = useNavigate()
  const { hasChanges, setChanged, close } = useLeaveQuestion(() => void navigate(-1))
  return (
    <>
      <SidePanel title="Thing" isOpen={isOpen} onClose={close} hasAddress>
        <LeaveGuard hasChanges={hasChanges} />
        <button type="button" onClick={() => setChanged(true)}>
          change
        </button>
      </SidePanel>
      <LeaveHost />
      <ConfirmHost />
    </>
  )
}

/** A form that lies on the page itself. */
function Settings() {
  const { hasChanges, setChanged } = useLeaveQuestion()
  const navigate = useNavigate()
  return (
    <>
      <LeaveGuard hasChanges={hasChanges} />
      <button type="button" onClick={() => setChanged(true)}>
        change
      </button>
      <button type="button" onClick={() => void navigate('/other')}>
        leave
      </button>
      <LeaveHost />
      <ConfirmHost />
    </>
  )
}

function show() {
  const routes = [
    { path: '/before', element: <p>before</p> },
    { path: '/list', element: <List /> },
  ]
  const router = createMemoryRouter(routes, { initialEntries: ['/before', '/list'] })
  render(<RouterProvider router={router} />)
  return { back: () => act(() => router.navigate(-1)) }
}

const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))
const isGone = (name: string) =>
  waitFor(() => expect(screen.queryByRole('dialog', { name })).toBeNull())

describe('Back', () => {
  it('closes the drawer, and leaves the screen when nothing is open over it', async () => {
    const { back } = show()
    await back()
    await isGone('Thing')
    expect(screen.getByText('list')).toBeTruthy()
    await back()
    expect(await screen.findByText('before')).toBeTruthy()
  })

  it('closes only what lies on top', async () => {
    const { back } = show()
    press('ask')
    await screen.findByText('Sure?')
    await back()
    await waitFor(() => expect(screen.queryByText('Sure?')).toBeNull())
    expect(screen.getByRole('dialog', { name: 'Thing' })).toBeTruthy()
  })

  it('asks before changes are lost, as closing does', async () => {
    const { back } = show()
    press('change')
    await back()
    await screen.findByText('Discard changes?')
    await back()
    await waitFor(() => expect(screen.queryByText('Discard changes?')).toBeNull())
    expect(screen.getByRole('dialog', { name: 'Thing' })).toBeTruthy()
    await back()
    fireEvent.click(await screen.findByRole('button', { name: 'Discard' }))
    await isGone('Thing')
    expect(screen.getByText('list')).toBeTruthy()
  })

  it('asks on the way to the first page of a window, and stays until there is an answer', async () => {
    window.history.replaceState(null, '', '/list')
    const router = createBrowserRouter([{ path: '*', element: <Addressed /> }])
    render(<RouterProvider router={router} />)
    await act(() => router.navigate('/list/edit'))
    press('change')
    const steps = window.history.length
    // A browser undoes the step later than it draws the question.
    const go = window.history.go.bind(window.history)
    const undo = vi.spyOn(window.history, 'go').mockImplementation(() => undefined)
    act(() => window.history.back())
    await screen.findByText('Discard changes?')
    expect(window.location.pathname).toBe('/list')
    undo.mockRestore()
    go(1)
    await waitFor(() => expect(window.location.pathname).toBe('/list/edit'))
    expect(window.history.length).toBe(steps)
    fireEvent.click(screen.getByRole('button', { name: 'Discard' }))
    await isGone('Thing')
    expect(window.location.pathname).toBe('/list')
  })
})

describe('a link on the first page of a window', () => {
  it('asks before changes are lost until there is an answer, and then is followed', async () => {
    window.history.replaceState(null, '', '/settings')
    const router = createBrowserRouter([
      { path: '/settings', element: <Settings /> },
      { path: '/other', element: <p>other</p> },
    ])
    render(<RouterProvider router={router} />)
    press('change')
    press('leave')
    await screen.findByText('Discard changes?')
    // What the question itself does to the history is done by then.
    await act(() => new Promise((resolve) => window.setTimeout(resolve)))
    fireEvent.click(screen.getByRole('button', { name: 'Discard' }))
    expect(await screen.findByText('other')).toBeTruthy()
  })
})
