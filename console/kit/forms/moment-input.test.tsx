import { Form } from '@arco-design/web-react'
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'
import { describe, expect, it, vi } from 'vitest'
import { SidePanel } from './drawer.tsx'
import { Field } from './field.tsx'
import { MomentInput } from './moment-input.tsx'
import { readMoment } from './read-moment.ts'

const seconds = (...time: [number, number, number, number, number, number]) =>
  new Date(...time).getTime() / 1000

describe('a moment typed by hand', () => {
  it.each([
    { text: '2027-03-04 05:06:07', expected: seconds(2027, 2, 4, 5, 6, 7) },
    { text: '2027-03-04 05:06', expected: seconds(2027, 2, 4, 5, 6, 0) },
    { text: ' 2027-3-4 ', expected: seconds(2027, 2, 4, 0, 0, 0) },
    { text: '', expected: undefined },
    { text: 'nonsense', expected: Number.NaN },
    { text: '2027-06-31', expected: Number.NaN },
    { text: '2027-13-01', expected: Number.NaN },
    { text: '2027-03-04 25:00', expected: Number.NaN },
  ])('reads $text as $expected', ({ text, expected }) => {
    expect(readMoment(text)).toBe(expected)
  })

  it('counts without being confirmed in the panel', () => {
    const onChange = vi.fn<(value: number | undefined) => void>()
    render(<MomentInput label="Expires" none="Never" onChange={onChange} />)
    leaveWith('2027-03-04 05:06:07')
    expect(onChange).toHaveBeenLastCalledWith(seconds(2027, 2, 4, 5, 6, 7))
  })

  it('that is none is told so in a form, which is not sent', async () => {
    const sent = vi.fn<() => void>()
    render(
      <Form onSubmit={sent}>
        <Field name="expires" label="Expires">
          <MomentInput label="Expires" none="Never" />
        </Field>
        <button type="submit">Save</button>
      </Form>,
    )
    leaveWith('tomorrow')
    expect(await screen.findByText(/^The time has the wrong format\./)).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: 'Save' }))
    expect(sent).not.toHaveBeenCalled()
  })
})

describe('Escape', () => {
  it('closes the calendar alone, and then the drawer around it', async () => {
    const onClose = vi.fn<() => void>()
    const drawer = (
      <SidePanel title="Edit" isOpen onClose={onClose}>
        <MomentInput label="Expires" none="Never" />
      </SidePanel>
    )
    render(<RouterProvider router={createMemoryRouter([{ path: '*', element: drawer }])} />)
    const input = screen.getByRole('textbox', { name: 'Expires' })
    const press = () => fireEvent.keyDown(input, { key: 'Escape', keyCode: 27 })
    fireEvent.click(input)
    await waitFor(() => expect(document.querySelector('.arco-picker-container')).toBeTruthy())
    press()
    expect(onClose).not.toHaveBeenCalled()
    await waitFor(() => expect(document.activeElement).toBe(input))
    press()
    expect(onClose).toHaveBeenCalledTimes(1)
  })
})

function leaveWith(text: string): void {
  const input = screen.getByRole('textbox', { name: 'Expires' })
  fireEvent.focus(input)
  fireEvent.input(input, { target: { value: text } })
  fireEvent.blur(input)
}
