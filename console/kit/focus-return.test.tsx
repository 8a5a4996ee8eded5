import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { describe, expect, it } from 'vitest'
import { FocusReturn } from './focus-return.tsx'

function Screen({ loses = false }: { loses?: boolean }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <main id="content" tabIndex={-1}>
      {isOpen && loses ? null : (
        <button type="button" onClick={() => setOpen(true)}>
          Open
        </button>
      )}
      {isOpen ? (
        <div role="dialog">
          <FocusReturn />
          <button type="button" onClick={() => setOpen(false)}>
            Close
          </button>
        </div>
      ) : null}
    </main>
  )
}

function openAndClose() {
  const opener = screen.getByRole('button', { name: 'Open' })
  opener.focus()
  fireEvent.click(opener)
  const close = screen.getByRole('button', { name: 'Close' })
  close.focus()
  fireEvent.click(close)
}

describe('the focus after a dialog', () => {
  it('goes back to what opened it', async () => {
    render(<Screen />)
    openAndClose()
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Open'))
  })

  it('goes to the content when the opener is gone', async () => {
    render(<Screen loses />)
    openAndClose()
    await waitFor(() => expect(document.activeElement?.id).toBe('content'))
  })
})
