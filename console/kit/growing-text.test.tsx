import { fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { GrowingText } from './growing-text.tsx'

/** Arco asks for the style of a field before it lays its text out a second time. */
let measured: ReturnType<typeof vi.spyOn>

function Editor({ start }: { start: string }) {
  const [text, setText] = useState(start)
  const [others, setOthers] = useState(0)
  return (
    <>
      <GrowingText minRows={4} maxRows={24} aria-label="Text" value={text} onChange={setText} />
      <button type="button" onClick={() => setOthers(others + 1)}>
        {others}
      </button>
    </>
  )
}

const long = 'a line of text\n'.repeat(1_000)

beforeEach(() => {
  measured = vi.spyOn(window, 'getComputedStyle')
})

describe('a text field that grows', () => {
  it('has all of its rows for a long text, without measuring it', () => {
    const { container } = render(<Editor start={long} />)
    const field = fieldIn(container)
    fireEvent.change(field, { target: { value: `${long}more` } })
    expect(measured).not.toHaveBeenCalled()
    expect(field.value).toBe(`${long}more`)
    expect(field.getAttribute('rows')).toBe('24')
  })

  it('stays the same field as its text becomes long, and short again', () => {
    const { container } = render(<Editor start="short" />)
    const field = fieldIn(container)
    fireEvent.change(field, { target: { value: long } })
    expect(fieldIn(container)).toBe(field)
    fireEvent.change(field, { target: { value: 'short' } })
    expect(fieldIn(container)).toBe(field)
  })

  it('measures a short text when it changes, and not when something beside it does', () => {
    const { container } = render(<Editor start="short" />)
    const beside = screen.getByRole('button')
    measured.mockClear()
    fireEvent.click(beside)
    expect(measured).not.toHaveBeenCalled()
    fireEvent.change(fieldIn(container), { target: { value: 'other' } })
    expect(measured).toHaveBeenCalled()
  })
})

/** Without asking by its role, which looks at styles too. */
function fieldIn(container: HTMLElement): HTMLTextAreaElement {
  const field = container.querySelector('textarea')
  if (!field) throw new Error('no field is shown')
  return field
}
