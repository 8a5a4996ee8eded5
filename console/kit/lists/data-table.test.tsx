import { QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'
import { queryClient } from '../../api/query-client.ts'
import { useList } from '../../api/use-list.ts'
import { usePreferences } from '../../stores/preferences.ts'
import { ConfirmHost } from '../confirm.tsx'
import { DataTable } from './data-table.tsx'
import { FilterBar } from './filter-bar.tsx'

interface Item {
  id: number
  name: string
}

const calls: URL[] = []

/** The call about `late` is answered when what is returned is called. */
function serve(items: Item[], refused = new Set<number>(), late?: number) {
  calls.length = 0
  let answer = () => {}
  const answered = new Promise<void>((resolve) => (answer = resolve))
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    const url = new URL(address, 'http://console.test')
    calls.push(url)
    if (init.method === 'DELETE') {
      const id = Number(url.pathname.split('/').at(-1))
      if (id === late) await answered
      return Response.json(
        refused.has(id)
          ? { success: false, message: 'It is in use.' }
          : { success: true, message: '' },
      )
    }
    const size = Number(url.searchParams.get('page_size'))
    const start = (Number(url.searchParams.get('p')) - 1) * size
    const matching = items.filter(({ name }) =>
      name.includes(url.searchParams.get('keyword') ?? ''),
    )
    const data = { items: matching.slice(start, start + size), total: matching.length }
    return Response.json({ success: true, message: '', data })
  })
  return answer
}

function Screen() {
  const list = useList<Item, { keyword: string }>('/api/item/', { filters: { keyword: '' } })
  return (
    <DataTable
      id="items"
      label="Items"
      list={list}
      columns={[{ id: 'name', title: 'Name', isTitle: true, render: (item) => item.name }]}
      nameOf={(item) => item.name}
      empty={{ title: 'No items yet' }}
      toolbar={
        <FilterBar list={list} fields={[{ kind: 'search', name: 'keyword', label: 'Search' }]} />
      }
      bulkActions={[
        {
          label: 'Remove',
          isDanger: true,
          confirm: () => ({ title: 'Remove them?', confirmLabel: 'Remove' }),
          runEach: async () => {},
        },
        {
          label: 'Delete',
          runEach: ({ id }) =>
            fetch(`/api/item/${id}`, { method: 'DELETE' })
              .then((response) => response.json())
              .then((answer: { success: boolean; message: string }) => {
                if (!answer.success) throw new Error(answer.message)
              }),
        },
      ]}
    />
  )
}

function show(address = '/items') {
  const router = createMemoryRouter([{ path: '*', element: <Screen /> }], {
    initialEntries: [address],
  })
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  return router
}

const many = Array.from({ length: 25 }, (_, index) => ({
  id: index + 1,
  name: `item ${index + 1}`,
}))

afterEach(() => {
  queryClient.clear()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

describe('a list on the screen', () => {
  it('asks for the page in the address and goes on to the next', async () => {
    serve(many)
    const router = show('/items?p=2')
    expect(await screen.findByText('item 11')).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: 'Next page' }))
    expect(await screen.findByText('item 21')).toBeTruthy()
    expect(router.state.location.search).toBe('?p=3')
  })

  it('tells a screen reader what a filter has found, and nothing before', async () => {
    serve(many)
    show()
    await screen.findByText('item 1')
    const told = () => screen.getAllByRole('status').map(({ textContent }) => textContent)
    expect(told()).toEqual([''])
    const search = screen.getByRole('searchbox', { name: 'Search' })
    fireEvent.change(search, { target: { value: 'item 2' } })
    await waitFor(() => expect(told()).toEqual(['7 in total']))
    fireEvent.change(search, { target: { value: 'none of them' } })
    await waitFor(() => expect(told()).toEqual(['Nothing matches these filters']))
  })

  it('begins another page at its top', async () => {
    serve(many)
    show()
    await screen.findByText('item 1')
    const table = screen.getByRole('region', { name: 'Items' })
    table.scrollTop = 300
    fireEvent.click(screen.getByRole('button', { name: 'Next page' }))
    await screen.findByText('item 11')
    expect(table.scrollTop).toBe(0)
  })

  it.each([
    { top: -200, times: 1, what: 'where it begins' },
    { top: 120, times: 0, what: 'where it is when that is in sight' },
  ])('leaves the page, of which it is a part, $what', async ({ top, times }) => {
    serve(many)
    const router = show()
    await screen.findByText('item 1')
    const toTop = vi.spyOn(Element.prototype, 'scrollIntoView').mockReturnValue()
    vi.spyOn(Element.prototype, 'getBoundingClientRect').mockReturnValue({ top } as DOMRect)
    fireEvent.click(screen.getByRole('button', { name: 'Next page' }))
    await screen.findByText('item 11')
    expect(router.state.preventScrollReset).toBe(true)
    expect(toTop).toHaveBeenCalledTimes(times)
  })

  it('keeps the search in the address and starts at its first page', async () => {
    serve(many)
    const router = show('/items?p=2')
    await screen.findByText('item 11')
    const search = screen.getByRole('searchbox', { name: 'Search' })
    fireEvent.change(search, { target: { value: 'item 25' } })
    fireEvent.keyDown(search, { key: 'Enter', keyCode: 13 })
    await waitFor(() => expect(screen.queryByText('item 11')).toBeNull())
    expect(router.state.location.search).toBe('?keyword=item+25')
    expect(screen.getByText('item 25')).toBeTruthy()
  })

  it('says what the list is when there is nothing in it', async () => {
    serve([])
    show()
    expect(await screen.findByText('No items yet')).toBeTruthy()
  })

  it('shows why it failed and tries again', async () => {
    vi.stubGlobal('fetch', async () =>
      Response.json({ success: false, message: 'The database is away.' }),
    )
    show()
    expect(await screen.findByText('The database is away.')).toBeTruthy()
    serve(many)
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('item 1')).toBeTruthy()
  })

  it('keeps the rows when reading them anew fails, and says that they are old', async () => {
    serve(many)
    show()
    await screen.findByText('item 1')
    vi.stubGlobal('fetch', async () =>
      Response.json({ success: false, message: 'The database is away.' }),
    )
    await queryClient.invalidateQueries()
    expect((await screen.findByRole('alert')).textContent).toContain('The database is away.')
    expect(screen.getByText('item 1')).toBeTruthy()
    serve(many)
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
  })

  it('reports by name which rows of a bulk action failed', async () => {
    serve(many.slice(0, 3), new Set([2]))
    show()
    fireEvent.click(await screen.findByRole('checkbox', { name: 'Select all rows' }))
    expect(screen.getByText('3 selected')).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: 'Delete' }))
    const failures = await screen.findByRole('alert')
    expect(within(failures).getByText('item 2').parentElement?.textContent).toBe(
      'item 2 It is in use.',
    )
    expect(calls.filter(({ pathname }) => /\d$/.test(pathname))).toHaveLength(3)
  })

  it('names the only row that it asks about, and has nothing typed for it', async () => {
    serve(many.slice(0, 1))
    show()
    render(<ConfirmHost />)
    fireEvent.click(await screen.findByRole('checkbox', { name: 'Select all rows' }))
    fireEvent.click(screen.getByRole('button', { name: 'Remove' }))
    const question = await screen.findByRole('dialog', { name: 'Remove them?' })
    expect(within(question).getByText('item 1')).toBeTruthy()
    expect(within(question).queryByRole('textbox')).toBeNull()
  })

  it('names ten of the rows that it asks about, and says how many more there are', async () => {
    serve(many)
    usePreferences.setState({ pageSize: 20 })
    show()
    render(<ConfirmHost />)
    fireEvent.click(await screen.findByRole('checkbox', { name: 'Select all rows' }))
    fireEvent.click(screen.getByRole('button', { name: 'Remove' }))
    const question = within(await screen.findByRole('dialog', { name: 'Remove them?' }))
    expect(question.getAllByRole('listitem')).toHaveLength(10)
    expect(question.getByText('and 10 more')).toBeTruthy()
    usePreferences.setState({ pageSize: 10 })
  })

  it('says how far a bulk action is, and names each of two failures of one name', async () => {
    const twins = [1, 2, 3].map((id) => ({ id, name: id < 3 ? 'twin' : 'last' }))
    const answer = serve(twins, new Set([1, 2]), 3)
    show()
    fireEvent.click(await screen.findByRole('checkbox', { name: 'Select all rows' }))
    fireEvent.click(screen.getByRole('button', { name: 'Delete' }))
    expect(await screen.findByText('2 of 3 done')).toBeTruthy()
    answer()
    const failures = await screen.findByRole('alert')
    expect(within(failures).getAllByText('twin')).toHaveLength(2)
    expect(screen.queryByText(/of 3 done/)).toBeNull()
  })
})
