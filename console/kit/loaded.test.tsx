import { fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { ApiError } from '../api/client.ts'
import type { Data } from '../api/use-data.ts'
import { Loaded } from './loaded.tsx'

const failed = new ApiError('The server is away.', 0)
const refresh = vi.fn(async () => {})

function Typed() {
  const [text, setText] = useState('')
  return <input aria-label="Name" value={text} onChange={({ target }) => setText(target.value)} />
}

const loaded = (from: Pick<Data<string>, 'data' | 'error'>) => (
  <Loaded from={{ ...from, refresh }}>{() => <Typed />}</Loaded>
)

describe('what is loaded', () => {
  it('waits, and offers to try again when it does not come', () => {
    const { rerender } = render(loaded({ data: undefined, error: undefined }))
    expect(screen.getByRole('status').textContent).toBe('Loading')
    rerender(loaded({ data: undefined, error: failed }))
    expect(screen.getByRole('alert').textContent).toContain('The server is away.')
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(refresh).toHaveBeenCalledOnce()
  })

  it('keeps what is typed when asking again fails, says so, and is quiet when it is well again', () => {
    const { rerender } = render(loaded({ data: 'old', error: undefined }))
    fireEvent.change(screen.getByLabelText('Name'), { target: { value: 'half a sent' } })
    rerender(loaded({ data: 'old', error: failed }))
    expect(screen.getByLabelText('Name')).toHaveProperty('value', 'half a sent')
    expect(screen.getByRole('alert').textContent).toContain('may be out of date')
    rerender(loaded({ data: 'new', error: undefined }))
    expect(screen.getByLabelText('Name')).toHaveProperty('value', 'half a sent')
    expect(screen.queryByRole('alert')).toBeNull()
  })
})
