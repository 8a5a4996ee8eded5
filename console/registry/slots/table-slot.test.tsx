// Contributions to a table by other plugins, and what happens when one is invalid, slow or not allowed for the user.
import { QueryClientProvider } from '@tanstack/react-query'
import { act, fireEvent, render, screen, within } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { queryClient } from '../../api/query-client.ts'
import { useList } from '../../api/use-list.ts'
import type { Action } from '../../kit/lists/action.ts'
import { DataTable } from '../../kit/lists/data-table.tsx'
import { useSession } from '../../stores/session.ts'
import type {
  AddedAction,
  AddedActionProps,
  AddedCellProps,
  AddedColumn,
  TableAddition,
} from '../console-plugin.ts'
import { useRegistry } from '../registry.ts'

interface Item {
  id: number
  name: string
}

const itemsOf = (length: number) =>
  Array.from({ length }, (_, index) => ({ id: index + 1, name: `item ${index}` }))
let rows = itemsOf(8)
/** Actions of the table itself. */
let own: Action[] = []

function Screen() {
  const list = useList<Item>('/api/item/')
  return (
    <DataTable
      id="items"
      slot="items"
      label="Items"
      list={list}
      columns={[{ id: 'name', title: 'Name', isTitle: true, render: ({ name }) => name }]}
      nameOf={({ name }) => name}
      actions={own.length > 0 ? () => own : undefined}
      isSlotRow={({ id }) => id !== 2}
      bulkActions={[{ label: 'Delete', runEach: async () => undefined }]}
      empty={{ title: 'No items' }}
    />
  )
}

async function show(role: number, ...tables: TableAddition[]) {
  useSession.setState({ user: { id: 1, username: 'ada', role, group: 'default' } })
  useRegistry.setState({
    failures: {},
    tables: tables.map((table) => ({ ...table, owner: 'sample' })),
  })
  vi.stubGlobal('fetch', async () =>
    Response.json({ success: true, message: '', data: { items: rows, total: rows.length } }),
  )
  const router = createMemoryRouter([{ path: '*', element: <Screen /> }], {
    initialEntries: ['/items'],
  })
  await act(async () => {
    render(
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>,
    )
  })
  await screen.findByText('item 0')
  return router
}

const column = (Cell: (props: AddedCellProps) => React.ReactNode, more: object = {}) =>
  ({ id: 'extra', title: 'Extra', load: async () => ({ default: Cell }), ...more }) as AddedColumn
const action = (more: Partial<AddedAction>): AddedAction => ({ id: 'do', label: 'Do it', ...more })
const cellsOf = (name: string) =>
  within(screen.getByText(name).closest('tr') as HTMLElement)
    .getAllByRole('cell')
    // The first column has the tick box.
    .slice(1)
    .map(({ textContent }) => textContent)

afterEach(() => {
  rows = itemsOf(8)
  own = []
  queryClient.clear()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

describe('a column that a plugin adds', () => {
  it('draws each row with all of the page at hand, and rows of another kind stay empty', async () => {
    const Cell = ({ row, rows: all }: AddedCellProps) => `${String(row['name'])} of ${all.length}`
    await show(1, { id: 'items', columns: [column(Cell)] }, { id: 'others', columns: [] })
    expect(await screen.findByText('item 0 of 7')).toBeTruthy()
    expect(screen.getByRole('columnheader', { name: 'Extra' })).toBeTruthy()
    expect(cellsOf('item 1')).toEqual(['item 1', ''])
  })

  it('is drawn once a row of two hundred, however often the table is', async () => {
    rows = itemsOf(200)
    let drawn = 0
    const Cell = ({ row }: AddedCellProps) => {
      drawn += 1
      return `#${String(row['id'])}`
    }
    await show(1, { id: 'items', columns: [column(Cell)] })
    // Finding one cell among hundreds by text or role takes seconds.
    await expect.poll(() => document.body.textContent).toContain('#200')
    const first = drawn
    expect(first).toBeLessThanOrEqual(2 * rows.length)
    const boxes = document.querySelectorAll<HTMLInputElement>('input[type=checkbox]')
    expect(boxes).toHaveLength(1 + rows.length)
    for (const box of [...boxes].slice(0, 3)) fireEvent.click(box)
    expect(drawn).toBe(first)
  })

  it('costs the cells that throw, and is named', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const Cell = ({ row }: AddedCellProps) => {
      if (row['id'] === 3) throw new Error('no figure')
      return `#${String(row['id'])}`
    }
    await show(1, { id: 'items', columns: [column(Cell)] })
    await screen.findByText('#4')
    expect(cellsOf('item 2')).toEqual(['item 2', '–'])
    expect(screen.getByTitle(/sample: no figure/)).toBeTruthy()
    await expect
      .poll(() => useRegistry.getState().failures)
      .toEqual({ sample: expect.stringMatching('no figure') })
  })

  it('leaves the table as it is while its code does not come', async () => {
    const hangs = column(() => 'never', { load: () => new Promise(() => undefined) })
    await show(1, { id: 'items', columns: [hangs] })
    expect(cellsOf('item 0')).toEqual(['item 0', ''])
  })

  it('is for those whom it names', async () => {
    const Cell = () => 'secret'
    await show(1, {
      id: 'items',
      columns: [column(Cell, { access: 'admin' })],
      rowActions: [action({ access: 'admin', link: () => '/x' })],
    })
    expect(screen.queryByText('secret')).toBeNull()
    expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
      'Select all rows',
      'Name',
    ])
  })
})

describe('an action that a plugin adds to rows', () => {
  const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))

  it('leads where its link says, for rows that it is for', async () => {
    const router = await show(1, {
      id: 'items',
      rowActions: [
        action({ isVisible: ({ id }) => id === 3, link: ({ id }) => `/log?item=${String(id)}` }),
      ],
    })
    expect(screen.getAllByRole('button', { name: /^Do it/ })).toHaveLength(1)
    press('Do it: item 2')
    await expect.poll(() => router.state.location.search).toBe('?item=3')
  })

  it('stands before what the table itself destroys', async () => {
    own = [{ label: 'Delete', isDanger: true, run: () => undefined }]
    await show(1, { id: 'items', rowActions: [action({ link: () => '/elsewhere' })] })
    const row = within(screen.getByText('item 0').closest('tr') as HTMLElement)
    const buttons = row.getAllByRole('button', { name: /: item 0$/ })
    expect(buttons.map(({ textContent }) => textContent)).toEqual(['Do it', 'Delete'])
  })

  it('draws its dialog until that is closed', async () => {
    const Dialog = ({ row, onClose }: AddedActionProps) => (
      <button type="button" onClick={onClose}>{`Close ${String(row['name'])}`}</button>
    )
    const load = async () => ({ default: Dialog })
    await show(1, { id: 'items', rowActions: [action({ load })] })
    press('Do it: item 5')
    fireEvent.click(await screen.findByText('Close item 5'))
    expect(screen.queryByText('Close item 5')).toBeNull()
  })

  it('says who is to blame when its dialog fails, and can be pressed again', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const Broken = () => {
      throw new Error('no dialog')
    }
    await show(1, {
      id: 'items',
      rowActions: [action({ load: async () => ({ default: Broken }) })],
    })
    press('Do it: item 5')
    expect(await screen.findByText(/sample: no dialog/)).toBeTruthy()
    expect(screen.getByText('item 5')).toBeTruthy()
  })
})
