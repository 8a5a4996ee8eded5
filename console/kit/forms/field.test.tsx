import { Form, Input } from '@arco-design/web-react'
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { ApiError } from '../../api/client.ts'
import { usePreferences } from '../../stores/preferences.ts'
import { i18n } from '../../texts/instance.ts'
import { Field } from './field.tsx'
import { MultiSelect, Select } from './select.tsx'
import { useFormAction } from './use-form-action.ts'

function show() {
  render(
    <Form id="thing">
      <Field name="name" label="Name" help="At most 30 characters." isRequired>
        <Input />
      </Field>
      <Field name="note" label="Note">
        <Input />
      </Field>
    </Form>,
  )
}

/** Sending it is refused at the note. */
function Refusing() {
  const [form] = Form.useForm<object>()
  const [send] = useFormAction(
    form,
    () => null,
    async () => {
      const words = () => (i18n.language === 'zh' ? '太短。' : 'Too short.')
      throw new ApiError(words, 200, 'note.short', { field: 'note' })
    },
  )
  return (
    <Form id="thing" form={form}>
      <Field name="name" label="Name" isRequired>
        <Input />
      </Field>
      <Field name="note" label="Note">
        <Input />
      </Field>
      <button type="button" onClick={() => void send({})} />
    </Form>
  )
}

function wordsOn(label: string) {
  const control = screen.getByLabelText(label)
  fireEvent.focus(control)
  const ids = control.getAttribute('aria-describedby')?.split(' ') ?? []
  return ids.map((id) => document.getElementById(id)?.textContent)
}

describe('a field', () => {
  it('tells a screen reader its help, and what is wrong', async () => {
    show()
    expect(wordsOn('Name')).toEqual(['At most 30 characters.'])
    fireEvent.blur(screen.getByLabelText('Name'))
    await screen.findByText('This is needed.')
    expect(wordsOn('Name')).toEqual(['This is needed.', 'At most 30 characters.'])
  })

  it('tells a screen reader that it must be filled', () => {
    show()
    const isRequired = (label: string) => {
      const control = screen.getByLabelText(label)
      fireEvent.focus(control)
      return control.getAttribute('aria-required')
    }
    expect(isRequired('Name')).toBe('true')
    expect(isRequired('Note')).toBeNull()
  })

  it('says what is wrong in the language that is switched to', async () => {
    render(<Refusing />)
    fireEvent.blur(screen.getByLabelText('Name'))
    await screen.findByText('This is needed.')
    fireEvent.click(screen.getByRole('button'))
    await screen.findByText('Too short.')
    act(() => usePreferences.getState().setLanguage('zh'))
    expect(await screen.findByText('此项必填。')).toBeTruthy()
    expect(screen.getByText('太短。')).toBeTruthy()
    act(() => usePreferences.getState().setLanguage('en'))
    expect(await screen.findByText('Too short.')).toBeTruthy()
  })

  it('says why its value was refused until another is typed', async () => {
    render(<Refusing />)
    fireEvent.click(screen.getByRole('button'))
    await screen.findByText('Too short.')
    const note = screen.getByLabelText('Note')
    fireEvent.focus(note)
    fireEvent.blur(note)
    await act(() => new Promise((resolve) => setTimeout(resolve, 20)))
    expect(screen.getByText('Too short.')).toBeTruthy()
    fireEvent.change(note, { target: { value: 'longer' } })
    await waitFor(() => expect(screen.queryByText('Too short.')).toBeNull())
  })

  it('is described by nothing where there is nothing to say', () => {
    show()
    expect(wordsOn('Note')).toEqual([])
  })
})

describe('a choice of several', () => {
  it('names the button of each tag after what it removes', () => {
    const show = (value: string[]) => (
      <MultiSelect label="Groups" value={value} choices={['vip', 'staff']} />
    )
    const { rerender } = render(show(['vip']))
    expect(screen.getByRole('button', { name: 'Remove vip' })).toBeTruthy()
    rerender(show(['vip', 'staff']))
    expect(screen.getByRole('button', { name: 'Remove staff' })).toBeTruthy()
  })

  it('shows forty tags and the number of the others', () => {
    const value = Array.from({ length: 43 }, (_, at) => `group-${at}`)
    render(<MultiSelect label="Groups" value={value} choices={value} />)
    expect(screen.getByRole('button', { name: 'Remove group-39' })).toBeTruthy()
    expect(screen.queryByText('group-40')).toBeNull()
    expect(screen.getByText(/^\+3/)).toBeTruthy()
  })
})

const refresh = vi.fn(async () => undefined)
const lost = new ApiError('Could not reach the server.', 0, 'network')

function open(source: { isLoading: boolean; error: ApiError | undefined }, choices: string[] = []) {
  render(<Select label="Group" choices={choices} source={{ ...source, refresh }} />)
  fireEvent.click(screen.getByRole('combobox', { name: 'Group' }))
}

describe('a choice whose entries are loaded', () => {
  it('says that they are not there yet', async () => {
    open({ isLoading: true, error: undefined })
    expect(await screen.findByText('Loading')).toBeTruthy()
    expect(screen.queryByText('Nothing found')).toBeNull()
  })

  it('says why there are none, and asks for them again whenever it is opened', async () => {
    open({ isLoading: false, error: lost })
    const alert = await screen.findByRole('alert')
    expect(alert.textContent).toBe('The list could not be loaded. Could not reach the server.')
    expect(screen.queryByText('Nothing found')).toBeNull()
    expect(refresh).toHaveBeenCalledTimes(1)
  })

  it('says so beside the entries that it has, too', async () => {
    open({ isLoading: false, error: lost }, ['default'])
    expect(await screen.findByRole('option', { name: 'default' })).toBeTruthy()
    expect(screen.getByRole('alert')).toBeTruthy()
  })
})
