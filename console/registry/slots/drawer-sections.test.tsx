import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ConfirmHost } from '../../kit/confirm.tsx'
import { EditDrawer } from '../../kit/forms/edit-drawer.tsx'
import { useSession } from '../../stores/session.ts'
import type { DrawerSection, DrawerSectionProps } from '../console-plugin.ts'
import { useRegistry } from '../registry.ts'

const record = { id: 7, name: 'laptop' }

function Words({ record: shown, onChanged }: DrawerSectionProps) {
  return (
    <label>
      {`Words of ${String(shown['name'])}`}
      <input onChange={({ target }) => onChanged(target.value !== '')} />
    </label>
  )
}

const section = (more: Partial<DrawerSection> = {}) => ({
  id: 'words',
  owner: 'sample',
  drawer: 'thing',
  title: 'Own words',
  order: 10,
  load: async () => ({ default: Words }),
  ...more,
})

async function show(sections: (DrawerSection & { owner: string })[], role = 1) {
  useSession.setState({ user: { id: 1, username: 'ada', role, group: 'default' } })
  useRegistry.setState({ drawers: sections, failures: {} })
  const onClose = vi.fn()
  const onSave = vi.fn(async () => undefined)
  const drawer = (
    <>
      <EditDrawer
        title="Edit thing"
        isOpen
        initial={record}
        onSave={onSave}
        onClose={onClose}
        slot={{ id: 'thing', record }}
      >
        <p>The form</p>
      </EditDrawer>
      <ConfirmHost />
    </>
  )
  await act(async () => {
    render(<RouterProvider router={createMemoryRouter([{ path: '*', element: drawer }])} />)
  })
  return { onClose, onSave }
}

const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
})
afterEach(() => vi.restoreAllMocks())

describe('a section that a plugin adds to a drawer', () => {
  it('stands below the form with its heading, for the drawer, the record and the person it names', async () => {
    await show([
      section(),
      section({ id: 'elsewhere', title: 'Elsewhere', drawer: 'other' }),
      section({ id: 'admin', title: 'For admins', access: 'admin' }),
      section({ id: 'hidden', title: 'Hidden', isVisible: ({ id }) => id !== 7 }),
    ])
    expect(await screen.findByText('Words of laptop')).toBeTruthy()
    expect(screen.getAllByRole('group').map((group) => group.textContent)).toEqual([
      'Own wordsWords of laptop',
    ])
  })

  it('keeps the drawer until what is typed in it is saved or given up', async () => {
    const { onClose, onSave } = await show([section()])
    fireEvent.change(await screen.findByRole('textbox'), { target: { value: 'mine' } })
    press('Save')
    await waitFor(() => expect(onSave).toHaveBeenCalled())
    fireEvent.click(await screen.findByRole('button', { name: 'Keep editing' }))
    expect(onClose).not.toHaveBeenCalled()
    fireEvent.change(screen.getByRole('textbox'), { target: { value: '' } })
    press('Cancel')
    await waitFor(() => expect(onClose).toHaveBeenCalled())
  })

  it('costs its own place when it fails or does not come', async () => {
    const Broken = () => {
      throw new Error('no words')
    }
    await show([
      section({ load: async () => ({ default: Broken }) }),
      section({ id: 'slow', title: 'Slow', load: () => new Promise(() => undefined) }),
    ])
    expect((await screen.findByRole('alert')).textContent).toContain('sample: no words')
    expect(screen.getByText('The form')).toBeTruthy()
    expect(screen.queryByText('Slow')).toBeNull()
  })
})
