import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'
import { afterEach, expect, it, vi } from 'vitest'
import { useList } from './use-list.ts'

function Rows() {
  const { rows, page } = useList<{ id: number }>('/api/rows')
  return <p>{rows.length > 0 ? `page ${page}: ${rows.map(({ id }) => id).join()}` : 'nothing'}</p>
}

afterEach(() => vi.unstubAllGlobals())

it('leads from a page far behind the end to the last one, at once and for good', async () => {
  const asked: number[] = []
  vi.stubGlobal('fetch', async (address: string) => {
    const { searchParams } = new URL(address, 'http://console.test')
    const page = Number(searchParams.get('p'))
    asked.push(page)
    const items = page === 3 ? [{ id: 21 }] : []
    return Response.json({ success: true, message: '', data: { items, total: 21 } })
  })
  const router = createMemoryRouter(
    [
      { path: '/before', element: <p>before</p> },
      { path: '/rows', element: <Rows /> },
    ],
    { initialEntries: ['/before', '/rows?p=99999'] },
  )
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  render(
    <QueryClientProvider client={client}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  expect(await screen.findByText('page 3: 21')).toBeTruthy()
  expect(asked).toEqual([99_999, 3])
  await router.navigate(-1)
  expect(await screen.findByText('before')).toBeTruthy()
})
