import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'
import { afterEach, expect, it, vi } from 'vitest'
import { EditUserDrawer } from './edit-user-drawer.tsx'

const user = {
  id: 7,
  username: 'ada',
  display_name: 'Ada',
  group: 'default',
  quota: 500_000,
  used_quota: 7,
  email: '',
}
const tooMuch = { success: false, message: 'not so much', code: 'quota.too_large' }

const moved = {
  success: false,
  message: 'It is $3 now.',
  code: 'quota.changed',
  values: { field: 'quota', quota: 1_500_000, used_quota: 9 },
}

/** A server with this user, which refuses the first call of this path. @returns what it was sent */
function serve(refused: string, refusal: object): [path: string, body: Record<string, unknown>][] {
  const sent: [string, Record<string, unknown>][] = []
  vi.stubGlobal('fetch', async (address: string, { body }: RequestInit) => {
    if (body) sent.push([address, JSON.parse(body as string) as Record<string, unknown>])
    const isFirst = address === refused && sent.filter(([path]) => path === address).length === 1
    if (body && isFirst) return Response.json(refusal)
    const data = address === '/api/user/7' ? user : []
    return Response.json({ success: true, message: '', data })
  })
  return sent
}

function show() {
  const drawer = <EditUserDrawer userId={7} onClose={vi.fn()} onSaved={vi.fn(async () => {})} />
  render(
    <QueryClientProvider client={new QueryClient()}>
      <RouterProvider router={createMemoryRouter([{ path: '*', element: drawer }])} />
    </QueryClientProvider>,
  )
}

afterEach(() => {
  vi.unstubAllGlobals()
})

it('sends what a changed field was, and takes no change of its own for that of another', async () => {
  const sent = serve('/api/user/manage', tooMuch)
  show()
  const name = await screen.findByLabelText('Display name')
  await waitFor(() => expect(name).toHaveProperty('value', 'Ada'))
  fireEvent.change(name, { target: { value: 'Ada L.' } })
  fireEvent.click(screen.getByRole('button', { name: /\+\$10$/ }))
  const save = screen.getByRole('button', { name: 'Save' })
  fireEvent.click(save)
  await waitFor(() => expect(sent).toHaveLength(2))
  await screen.findByText('not so much')
  fireEvent.click(save)
  await waitFor(() => expect(sent).toHaveLength(4))
  const amount = { id: 7, action: 'change_quota', value: 5_000_000 }
  expect(sent).toEqual([
    ['/api/user/', { id: 7, display_name: 'Ada L.', shown: { display_name: 'Ada' } }],
    ['/api/user/manage', amount],
    ['/api/user/', { id: 7, shown: {} }],
    ['/api/user/manage', amount],
  ])
})

it('sets a balance on sight of the one that was read, then of the one that a refusal names', async () => {
  const sent = serve('/api/user/', moved)
  show()
  fireEvent.click(await screen.findByRole('radio', { name: 'Set to' }))
  const balance = await screen.findByLabelText('New balance')
  await waitFor(() => expect(balance).toHaveProperty('value', '1'))
  fireEvent.change(balance, { target: { value: '2' } })
  const save = screen.getByRole('button', { name: 'Save' })
  fireEvent.click(save)
  await screen.findByText('It is $3 now.')
  // What a change would begin from.
  expect(screen.getByText('$3 now, $3 then')).toBeTruthy()
  fireEvent.click(save)
  await waitFor(() => expect(sent).toHaveLength(2))
  const set = { id: 7, quota: 1_000_000 }
  expect(sent).toEqual([
    ['/api/user/', { ...set, shown: { quota: 500_000, used_quota: 7 } }],
    ['/api/user/', { ...set, shown: { quota: 1_500_000, used_quota: 9 } }],
  ])
})

it('saves another change where an amount that is none is out of sight', async () => {
  const sent = serve('', {})
  show()
  fireEvent.click(await screen.findByRole('radio', { name: 'Set to' }))
  const balance = await screen.findByLabelText('New balance')
  await waitFor(() => expect(balance).toHaveProperty('value', '1'))
  fireEvent.change(balance, { target: { value: '1e30' } })
  fireEvent.click(screen.getByRole('radio', { name: 'Change by' }))
  fireEvent.click(screen.getByRole('button', { name: /\+\$10$/ }))
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(sent).toHaveLength(2))
  expect(sent[1]).toEqual(['/api/user/manage', { id: 7, action: 'change_quota', value: 5_000_000 }])
})
