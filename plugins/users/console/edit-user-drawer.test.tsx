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
  email: '',
}
const refusal = { success: false, message: 'not so much', code: 'quota.too_large' }

/** A server with this user, which refuses the first change of the balance. @returns what it was sent */
function serve(): [path: string, body: Record<string, unknown>][] {
  const sent: [string, Record<string, unknown>][] = []
  vi.stubGlobal('fetch', async (address: string, { body }: RequestInit) => {
    if (body) sent.push([address, JSON.parse(body as string) as Record<string, unknown>])
    const isFirstAmount =
      address.endsWith('/manage') && sent.filter(([path]) => path === address).length === 1
    if (body && isFirstAmount) return Response.json(refusal)
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
  const sent = serve()
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
