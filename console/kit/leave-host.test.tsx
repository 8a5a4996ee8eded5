import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'
import { describe, expect, it } from 'vitest'
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
})
