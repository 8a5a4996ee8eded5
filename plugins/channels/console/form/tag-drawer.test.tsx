import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'
import { afterEach, expect, it, vi } from 'vitest'
import type { Channel } from '../channel.ts'
import { groupByTag } from '../tag-rows.ts'
import { TagDrawer } from './tag-drawer.tsx'

/** Opens the drawer of a tag with two channels; gives the bodies that it sends. */
function show(): unknown[] {
  const sent: unknown[] = []
  vi.stubGlobal('fetch', async (path: string, { method, body }: RequestInit = {}) => {
    if (path === '/api/channel/tag' && method === 'PUT') sent.push(JSON.parse(body as string))
    return Response.json({ success: true, message: '', data: [] })
  })
  const channels = [1, 2].map(
    (id) =>
      ({
        id,
        tag: 'a',
        priority: 3,
        weight: 1,
        models: 'm',
        group: 'g',
        test_fault: '',
      }) as Channel,
  )
  const [row] = groupByTag(channels)
  const drawer = <TagDrawer row={row} onClose={() => undefined} onSaved={async () => undefined} />
  render(
    <QueryClientProvider
      client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}
    >
      <RouterProvider router={createMemoryRouter([{ path: '*', element: drawer }])} />
    </QueryClientProvider>,
  )
  return sent
}

const priority = () => screen.findByRole('spinbutton', { name: /Priority/ })
const save = () => fireEvent.click(screen.getByRole('button', { name: 'Save' }))

afterEach(() => vi.unstubAllGlobals())

it('changes nothing where a number was only emptied', async () => {
  const sent = show()
  fireEvent.change(await priority(), { target: { value: '' } })
  save()
  expect(await screen.findByText('Nothing was changed.')).toBeTruthy()
  expect(sent).toEqual([])
})

it('sends only the number that was changed', async () => {
  const sent = show()
  fireEvent.change(await priority(), { target: { value: '-5' } })
  save()
  await waitFor(() => expect(sent).toEqual([{ tag: 'a', priority: -5 }]))
})
