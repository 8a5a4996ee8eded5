import { QueryClientProvider } from '@tanstack/react-query'
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { queryClient } from '../../api/query-client.ts'
import { useList } from '../../api/use-list.ts'
import { DataTable } from './data-table.tsx'

interface Item {
  id: number
  name: string
  isOn: boolean
}

let items: Item[]

function Screen() {
  const list = useList<Item>('/api/item/', { shape: 'whole' })
  const action = (label: string, change: () => void) => ({
    label,
    run: () => {
      change()
      return list.refresh()
    },
  })
  return (
    <main id="content" tabIndex={-1}>
      <DataTable
        id="items"
        label="Items"
        list={list}
        columns={[{ id: 'name', title: 'Name', render: ({ name }) => name }]}
        nameOf={({ name }) => name}
        onOpen={() => {}}
        actions={(item) => [
          action(item.isOn ? 'Stop' : 'Start', () => {
            items = items.map((one) => (one.id === item.id ? { ...one, isOn: !one.isOn } : one))
          }),
          action('Delete', () => {
            items = items.filter((one) => one.id !== item.id)
          }),
        ]}
        empty={{ title: 'No items yet' }}
      />
    </main>
  )
}

async function show(...names: string[]) {
  items = names.map((name, id) => ({ id, name, isOn: true }))
  vi.stubGlobal('fetch', async () => Response.json({ success: true, message: '', data: items }))
  const router = createMemoryRouter([{ path: '*', element: <Screen /> }])
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  await screen.findByText(names[0] ?? '')
}

function press(name: string) {
  const button = screen.getByRole('button', { name })
  act(() => button.focus())
  fireEvent.click(button)
}

afterEach(() => {
  queryClient.clear()
  vi.unstubAllGlobals()
})

describe('the focus in a table', () => {
  it.each([
    { deleted: 'one', next: 'two' },
    { deleted: 'three', next: 'two' },
  ])('goes to $next when $deleted is deleted', async ({ deleted, next }) => {
    await show('one', 'two', 'three')
    press(`Delete: ${deleted}`)
    await waitFor(() => expect(screen.queryByText(deleted)).toBeNull())
    expect(document.activeElement).toBe(screen.getByText(next).closest('td'))
  })

  it('goes to the page when nothing is left', async () => {
    await show('one')
    press('Delete: one')
    await screen.findByText('No items yet')
    expect(document.activeElement).toBe(screen.getByRole('main'))
  })

  it('stays at its place when the action there is another by now', async () => {
    await show('one', 'two')
    press('Stop: two')
    const start = await screen.findByRole('button', { name: 'Start: two' })
    expect(document.activeElement).toBe(start)
  })

  it('is left alone where it is elsewhere by then', async () => {
    await show('one', 'two')
    press('Delete: one')
    act(() => screen.getByRole('main').focus())
    await waitFor(() => expect(screen.queryByText('one')).toBeNull())
    expect(document.activeElement).toBe(screen.getByRole('main'))
  })
})
