import { fireEvent, render, screen } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { InlineNumber } from './inline-number.tsx'

describe('a number that is edited in its row', () => {
  const field = () => screen.getByRole<HTMLInputElement>('spinbutton')

  it.each(['9', 'nine'])('is as before, and not saved, once %s was taken back', (typed) => {
    const save = vi.fn(async () => undefined)
    render(<InlineNumber label="Priority" value={3} onSave={save} />)
    fireEvent.change(field(), { target: { value: typed } })
    fireEvent.keyDown(field(), { key: 'Escape' })
    expect(field().value).toBe('3')
    fireEvent.blur(field())
    expect(field().value).toBe('3')
    expect(save).not.toHaveBeenCalled()
  })

  it('is saved when the field is left', () => {
    const save = vi.fn(async () => undefined)
    render(<InlineNumber label="Priority" value={3} onSave={save} />)
    fireEvent.change(field(), { target: { value: '9' } })
    fireEvent.blur(field())
    expect(save).toHaveBeenCalledExactlyOnceWith(9)
  })
})
