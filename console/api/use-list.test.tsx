import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'
import { afterEach, expect, it, vi } from 'vitest'
import { queryClient } from './query-client.ts'
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

it.each([
  ['its tab', () => document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))],
  ['its window, which was beside the other', () => window.dispatchEvent(new Event('focus'))],
])('drops a row that was deleted elsewhere when somebody comes back to %s', async (_, comeBack) => {
  let items = [{ id: 1 }, { id: 2 }]
  vi.stubGlobal('fetch', async () =>
    Response.json({ success: true, message: '', data: { items, total: items.length } }),
  )
  const router = createMemoryRouter([{ path: '*', element: <Rows /> }])
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  expect(await screen.findByText('page 1: 1,2')).toBeTruthy()
  items = [{ id: 2 }]
  comeBack()
  expect(await screen.findByText('page 1: 2')).toBeTruthy()
})

it('shows a change at once, and the row as it was when it was not saved', async () => {
  vi.stubGlobal('fetch', async () => {
    const items = [1, 2].map((id) => ({ id, status: 'on' }))
    return Response.json({ success: true, message: '', data: { items, total: 2 } })
  })
  let refuse: (reason: Error) => void = () => {}
  const save = () => new Promise((_, reject) => (refuse = reject))
  function Switches() {
    const list = useList<{ id: number; status: string }>('/api/switches')
    const [first] = list.rows
    return (
      <button
        type="button"
        onClick={() => first && void list.change(first, { status: 'off' }, save)}
      >
        {list.rows.map(({ status }) => status).join()}
      </button>
    )
  }
  const router = createMemoryRouter([{ path: '*', element: <Switches /> }])
  render(
    <QueryClientProvider client={new QueryClient()}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  fireEvent.click(await screen.findByText('on,on'))
  expect(await screen.findByText('off,on')).toBeTruthy()
  refuse(new Error('It is in use.'))
  expect(await screen.findByText('on,on')).toBeTruthy()
})

it('drops a changed row that the filter no longer means', async () => {
  let items = [1, 2].map((id) => ({ id, status: 'on' }))
  vi.stubGlobal('fetch', async () =>
    Response.json({ success: true, message: '', data: { items, total: items.length } }),
  )
  function Switches() {
    const list = useList<{ id: number; status: string }, { status: string }>('/api/switches', {
      filters: { status: '' },
    })
    const [first] = list.rows
    const save = async () => {
      items = items.filter(({ id }) => id !== first?.id)
    }
    const words = list.rows.map(({ id, status }) => `${id} ${status}`).join()
    const press = () => first && void list.change(first, { status: 'off' }, save)
    return <button type="button" onClick={press}>{`${words} of ${list.total}`}</button>
  }
  const router = createMemoryRouter([{ path: '*', element: <Switches /> }], {
    initialEntries: ['/?status=on'],
  })
  render(
    <QueryClientProvider client={new QueryClient()}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  fireEvent.click(await screen.findByText('1 on,2 on of 2'))
  expect(await screen.findByText('2 on of 1')).toBeTruthy()
})
