import { Input } from '@arco-design/web-react'
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { type ReactNode, useState } from 'react'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'
import { describe, expect, it, vi } from 'vitest'
import { ApiError } from '../../api/client.ts'
import { ConfirmHost } from '../confirm.tsx'
import { LeaveHost } from '../leave-host.tsx'
import { EditDrawer } from './edit-drawer.tsx'
import { Field, useFormValue } from './field.tsx'

const initial = { id: 5, name: 'old' }

function show(
  onSave: (values: { id: number; name: string }) => Promise<unknown>,
  onClose = vi.fn(),
  more?: ReactNode,
) {
  const drawer = (
    <>
      <LeaveHost />
      <EditDrawer title="Edit thing" isOpen initial={initial} onSave={onSave} onClose={onClose}>
        <Field name="name" label="Name" isRequired>
          <Input />
        </Field>
        {more}
      </EditDrawer>
      <ConfirmHost />
    </>
  )
  render(<RouterProvider router={createMemoryRouter([{ path: '*', element: drawer }])} />)
  return onClose
}

/** As screens do, which forget the record when the drawer closes. */
function Closing() {
  const [record, setRecord] = useState<typeof initial | undefined>(initial)
  return (
    <>
      <EditDrawer
        title={`Edit ${record?.name ?? ''}`}
        isOpen={record !== undefined}
        initial={record}
        onSave={async () => undefined}
        onClose={() => setRecord(undefined)}
      >
        <Field name="name" label="Name">
          <Input />
        </Field>
      </EditDrawer>
      {record ? null : 'closed'}
    </>
  )
}

const type = (value: string) =>
  fireEvent.change(screen.getByRole('textbox', { name: /Name/ }), { target: { value } })

describe('editing a record in a drawer', () => {
  it('saves what was there and what changed, then closes', async () => {
    const onSave = vi.fn(async () => undefined)
    const onClose = show(onSave)
    expect(screen.getByRole('dialog', { name: 'Edit thing' })).toBeTruthy()
    type('new')
    fireEvent.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(onClose).toHaveBeenCalled())
    expect(onSave).toHaveBeenCalledWith({ id: 5, name: 'new' }, false)
  })

  it('shows its record until it has moved out', async () => {
    render(<RouterProvider router={createMemoryRouter([{ path: '*', element: <Closing /> }])} />)
    fireEvent.click(await screen.findByRole('button', { name: 'Cancel' }))
    await screen.findByText('closed')
    expect(screen.getByText('Edit old')).toBeTruthy()
    expect(screen.queryByText('Loading')).toBeNull()
  })

  it('sends nothing while something needed is missing', async () => {
    const onSave = vi.fn(async () => undefined)
    show(onSave)
    type(' ')
    fireEvent.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('This is needed.')).toBeTruthy()
    expect(onSave).not.toHaveBeenCalled()
  })

  it('stays open when the server refuses', async () => {
    const onSave = vi.fn(async () => {
      throw new ApiError('The name is taken.', 200)
    })
    const onClose = show(onSave)
    fireEvent.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(onSave).toHaveBeenCalled())
    expect(onClose).not.toHaveBeenCalled()
  })

  it('shows a refusal at the field that the server names', async () => {
    show(async () => {
      throw new ApiError('The name is taken.', 200, 'thing.taken', { field: 'name' })
    })
    fireEvent.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('The name is taken.')).toBeTruthy()
  })

  it('shows progress at the second button when that was pressed; Enter presses the first', async () => {
    const saving = Promise.withResolvers<void>()
    const onSave = vi.fn(() => saving.promise)
    const drawer = (
      <>
        <LeaveHost />
        <EditDrawer
          title="Edit thing"
          isOpen
          initial={initial}
          onSave={onSave}
          onClose={() => {}}
          secondLabel="Save and test"
        >
          <Field name="name" label="Name">
            <Input />
          </Field>
        </EditDrawer>
      </>
    )
    render(<RouterProvider router={createMemoryRouter([{ path: '*', element: drawer }])} />)
    const form = screen.getByRole('textbox', { name: /Name/ }).closest('form')
    // Enter presses the first submit button of the form.
    const byEnter = [...(form?.elements ?? [])].find((one) => one.getAttribute('type') === 'submit')
    expect(byEnter?.textContent).toBe('Save')
    const second = screen.getByRole('button', { name: 'Save and test' })
    fireEvent.click(second)
    await waitFor(() => expect(onSave).toHaveBeenCalledWith(expect.anything(), true))
    expect(second.className).toContain('loading')
    expect(screen.getByRole('button', { name: 'Save' })).toHaveProperty('disabled', true)
    await act(async () => saving.resolve())
  })

  it('says why a field is needed, and no longer once it is not', async () => {
    function Secret() {
      const isElsewhere = useFormValue<string>('name') !== 'old'
      return (
        <Field name="secret" label="Secret" isRequired={isElsewhere} requiredText="Enter it again.">
          <Input />
        </Field>
      )
    }
    const onSave = vi.fn(async () => undefined)
    show(onSave, vi.fn(), <Secret />)
    type('new')
    fireEvent.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Enter it again.')).toBeTruthy()
    type('old')
    await waitFor(() => expect(screen.queryByText('Enter it again.')).toBeNull())
    expect(screen.getByRole('textbox', { name: /Secret/ })).toBeTruthy()
    expect(onSave).not.toHaveBeenCalled()
  })

  it('asks before changes are lost', async () => {
    const onClose = show(async () => undefined)
    type('new')
    const field = screen.getByRole('textbox', { name: /Name/ })
    field.focus()
    fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))
    fireEvent.click(await screen.findByRole('button', { name: 'Keep editing' }))
    await waitFor(() => expect(screen.queryByText('Discard changes?')).toBeNull())
    await act(() => new Promise((resolve) => setTimeout(resolve, 50)))
    expect(document.activeElement).toBe(field)
    expect(onClose).not.toHaveBeenCalled()
    fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))
    fireEvent.click(await screen.findByRole('button', { name: 'Discard' }))
    await waitFor(() => expect(onClose).toHaveBeenCalled())
  })

  it('takes the question back where the saving ends behind it', async () => {
    const saving = Promise.withResolvers<void>()
    const onClose = vi.fn<() => void>()
    function Screen() {
      const [isOpen, setOpen] = useState(true)
      onClose.mockImplementation(() => setOpen(false))
      return (
        <>
          <LeaveHost />
          <EditDrawer<{ id: number; name: string }>
            title="Edit thing"
            isOpen={isOpen}
            initial={initial}
            onSave={() => saving.promise}
            onClose={onClose}
          >
            <Field name="name" label="Name" isRequired>
              <Input />
            </Field>
          </EditDrawer>
          <ConfirmHost />
        </>
      )
    }
    const router = createMemoryRouter(
      [
        { path: '/list', element: <p>list</p> },
        { path: '/thing', element: <Screen /> },
      ],
      { initialEntries: ['/list', '/thing'], initialIndex: 1 },
    )
    render(<RouterProvider router={router} />)
    type('new')
    fireEvent.click(screen.getByRole('button', { name: 'Save' }))
    await act(() => router.navigate(-1))
    expect(await screen.findByText('Discard changes?')).toBeTruthy()
    await act(async () => saving.resolve())
    await waitFor(() => expect(onClose).toHaveBeenCalled())
    await waitFor(() => expect(screen.queryByText('Discard changes?')).toBeNull())
  })
})
