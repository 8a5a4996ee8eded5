import { QueryClientProvider } from '@tanstack/react-query'
import { act, createEvent, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { queryClient } from '../../api/query-client.ts'
import { useList } from '../../api/use-list.ts'
import { Quota } from '../values/quota.tsx'
import type { Column } from './column.ts'
import { DataTable } from './data-table.tsx'

interface Item {
  id: number
  name: string
  units: number
}

const drawn = vi.fn((item: Item) => item.name)
const columns: Column<Item>[] = [
  { id: 'name', title: 'Name', isTitle: true, render: drawn },
  {
    id: 'units',
    title: 'Spent',
    align: 'right',
    render: ({ units }) => <Quota units={units} isAligned />,
  },
]

function Screen({ onOpen }: { onOpen?: () => void }) {
  const list = useList<Item>('/api/item/')
  return (
    <DataTable
      id="items"
      label="Items"
      list={list}
      columns={columns}
      nameOf={({ name }) => name}
      empty={{ title: 'No items yet' }}
      {...(onOpen ? { onOpen } : {})}
    />
  )
}

function serve(items: Item[]) {
  vi.stubGlobal('fetch', async () =>
    Response.json({ success: true, message: '', data: { items, total: items.length } }),
  )
}

function show(onOpen?: () => void) {
  const element = <Screen {...(onOpen ? { onOpen } : {})} />
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={createMemoryRouter([{ path: '*', element }])} />
    </QueryClientProvider>,
  )
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
})

afterEach(() => {
  vi.useRealTimers()
  queryClient.clear()
  vi.unstubAllGlobals()
  drawn.mockClear()
})

const one = { id: 1, name: 'one', units: 500_000 }
const two = { id: 2, name: 'two', units: 625_000 }

describe('the rows of a table', () => {
  it('are drawn anew only where they changed, when the list is read again', async () => {
    serve([one, two])
    show()
    await screen.findByText('one')
    drawn.mockClear()
    serve([one, { ...two, name: 'second' }])
    await act(() => queryClient.invalidateQueries())
    await screen.findByText('second')
    const ids = () => new Set(drawn.mock.calls.map(([{ id }]) => id))
    expect(ids()).toEqual(new Set([2]))
    vi.setSystemTime(Date.now() + 60_000)
    await act(() => queryClient.invalidateQueries())
    await waitFor(() => expect(ids()).toEqual(new Set([1, 2])))
  })

  it('leave no more room behind the point than the longest amount of the column takes', async () => {
    serve([one, two])
    show()
    const free = (text: string) => screen.getByText(text).dataset['free']
    await screen.findByText('$1.25')
    expect([free('$1.25'), free('$1')]).toEqual(['', '.00'])
    serve([one])
    await act(() => queryClient.invalidateQueries())
    await waitFor(() => expect(free('$1')).toBe(''))
  })

  it('open by Enter, which presses nothing in what has opened', async () => {
    serve([one])
    const onOpen = vi.fn()
    show(onOpen)
    const cell = (await screen.findByText('one')).closest('td') as HTMLElement
    const enter = createEvent.keyDown(cell, { key: 'Enter' })
    fireEvent(cell, enter)
    expect(onOpen).toHaveBeenCalledOnce()
    expect(enter.defaultPrevented).toBe(true)
  })
})
