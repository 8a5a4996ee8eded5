import { Form } from '@arco-design/web-react'
import { fireEvent, render, screen } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
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

function leaveWith(text: string): void {
  const input = screen.getByRole('textbox', { name: 'Expires' })
  fireEvent.focus(input)
  fireEvent.input(input, { target: { value: text } })
  fireEvent.blur(input)
}
