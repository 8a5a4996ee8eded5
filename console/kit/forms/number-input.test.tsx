import { Form } from '@arco-design/web-react'
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { Field } from './field.tsx'
import { NumberInput, type NumberInputProps } from './number-input.tsx'

const onChange = vi.fn<(value: number | undefined) => void>()

function Entry(props: NumberInputProps) {
  const [value, setValue] = useState<number | undefined>(5)
  return (
    <>
      <NumberInput
        {...props}
        value={value}
        onChange={(next) => {
          onChange(next)
          setValue(next)
        }}
      />
      <button type="button" onClick={() => setValue(7)}>
        seven
      </button>
    </>
  )
}

const field = () => screen.getByRole<HTMLInputElement>('spinbutton')

/** Types key by key, each into what the field shows at that moment. */
function type(text: string): void {
  fireEvent.change(field(), { target: { value: '' } })
  for (const letter of text)
    fireEvent.change(field(), { target: { value: field().value + letter } })
}

beforeEach(() => {
  onChange.mockClear()
})

describe('the entry of a number', () => {
  it.each([
    ['-5', 'Enter a whole number of 0 or more, digits only.'],
    ['1.5', 'Enter a whole number of 0 or more, digits only.'],
    ['1e5', 'Enter a whole number of 0 or more, digits only.'],
    ['1,5', 'Enter a whole number of 0 or more, digits only.'],
    ['9'.repeat(30), 'Enter a whole number from 0 to 9007199254740991, digits only.'],
    ['12x', 'Enter a whole number of 0 or more, digits only.'],
  ])('leaves %s as it is typed and says what it takes', (text, words) => {
    render(<Entry min={0} precision={0} />)
    type(text)
    fireEvent.blur(field())
    expect(field().value).toBe(text)
    expect(onChange).toHaveBeenLastCalledWith(Number.NaN)
    expect(field().getAttribute('aria-invalid')).toBe('true')
    expect(screen.getByRole('alert').textContent).toBe(words)
    fireEvent.click(screen.getByText('seven'))
    expect(field().value).toBe('7')
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it.each(['1e400', `1${'0'.repeat(400)}`, 'NaN', 'Infinity', '0x10', '-', '.'])(
    'throws nothing at %s, pasted at once',
    (text) => {
      render(<Entry />)
      fireEvent.change(field(), { target: { value: text } })
      fireEvent.blur(field())
      expect(field().value).toBe(text)
      expect(onChange).toHaveBeenLastCalledWith(Number.NaN)
    },
  )

  it.each([
    ['１２', 12, '12'],
    ['－１．５', -1.5, '-1.5'],
    ['0.05', 0.05, '0.05'],
    ['10.10', 10.1, '10.1'],
    ['0.0000001', 0.0000001, '0.0000001'],
    ['', undefined, ''],
  ])('reads %s', (text, value, shown) => {
    render(<Entry />)
    type(text)
    expect(field().value).toBe(text)
    expect(onChange).toHaveBeenLastCalledWith(value)
    fireEvent.blur(field())
    expect(field().value).toBe(shown)
  })

  it('goes up and down with the arrow keys, inside its range', () => {
    render(<Entry min={4} max={6} precision={0} />)
    fireEvent.keyDown(field(), { key: 'ArrowUp' })
    fireEvent.keyDown(field(), { key: 'ArrowUp' })
    expect(field().value).toBe('6')
    for (let press = 0; press < 3; press += 1) fireEvent.keyDown(field(), { key: 'ArrowDown' })
    expect(onChange).toHaveBeenLastCalledWith(4)
  })

  it('shows how a number is written by one that it takes', () => {
    render(<NumberInput min={0.1} max={1} />)
    type('7')
    expect(screen.getByText('Enter a number from 0.1 to 1, written like 0.5.')).toBeTruthy()
  })

  it('keeps a form from being saved, which says why at the field', async () => {
    const save = vi.fn<(values: unknown) => void>()
    const { container } = render(
      <Form onSubmit={save}>
        <Field name="price" label="Price">
          <NumberInput min={0} />
        </Field>
        <button type="submit">Save</button>
      </Form>,
    )
    type('-5')
    fireEvent.submit(container.querySelector('form')!)
    expect(
      await screen.findByText('Enter a number of 0 or more, written like 1200.5.'),
    ).toBeTruthy()
    expect(save).not.toHaveBeenCalled()
    type('2.50')
    fireEvent.submit(container.querySelector('form')!)
    await waitFor(() => expect(save).toHaveBeenCalledWith({ price: 2.5 }))
  })
})
