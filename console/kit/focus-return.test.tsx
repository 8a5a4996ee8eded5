import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'
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

/** A table whose row goes away with what its dialog does. */
function Rows() {
  const [names, setNames] = useState(['first', 'second'])
  const [open, setOpen] = useState<string>()
  return (
    <main id="content" tabIndex={-1}>
      <div className="data-table">
        <table>
          <tbody>
            {names.map((name) => (
              <tr key={name}>
                <td>
                  <button type="button" onClick={() => setOpen(name)}>
                    {name}
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {open === undefined ? null : (
        <div role="dialog">
          <FocusReturn />
          <button
            type="button"
            onClick={() => {
              setNames(names.filter((name) => name !== open))
              setOpen(undefined)
            }}
          >
            Close
          </button>
        </div>
      )}
    </main>
  )
}

/** A dialog that is opened from a drawer, which closes then. */
function Following() {
  const [open, setOpen] = useState<'drawer' | 'both' | 'dialog'>()
  return (
    <main id="content" tabIndex={-1}>
      <button type="button" onClick={() => setOpen('drawer')}>
        Open
      </button>
      {open === 'drawer' || open === 'both' ? (
        <div role="dialog">
          <FocusReturn />
          <button type="button" onClick={() => setOpen('both')}>
            Save
          </button>
        </div>
      ) : null}
      {open === 'both' || open === 'dialog' ? (
        <div role="dialog">
          <FocusReturn />
          <button type="button" onClick={() => setOpen(open === 'both' ? 'dialog' : undefined)}>
            Done
          </button>
        </div>
      ) : null}
    </main>
  )
}

function press(name: string) {
  const button = screen.getByRole('button', { name })
  button.focus()
  fireEvent.click(button)
}

function openAndClose() {
  press('Open')
  press('Close')
}

afterEach(() => vi.restoreAllMocks())

describe('the focus after a dialog', () => {
  it('goes back to what opened it', async () => {
    render(<Screen />)
    openAndClose()
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Open'))
  })

  it('goes back to what opened the drawer before it, which is gone', async () => {
    render(<Following />)
    press('Open')
    press('Save')
    press('Done')
    expect(screen.queryByText('Save')).toBeNull()
    await act(() => new Promise((resolve) => setTimeout(resolve)))
    press('Done')
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Open'))
  })

  it('lets no second press of its key through, nor a held one, and takes the next', async () => {
    render(<Screen />)
    openAndClose()
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Open'))
    const opener = screen.getByRole('button', { name: 'Open' })
    const isTaken = (event: object) => fireEvent.keyDown(opener, { key: 'Enter', ...event })
    expect(isTaken({})).toBe(false)
    vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 1_000)
    expect(isTaken({ repeat: true })).toBe(false)
    expect(isTaken({})).toBe(true)
  })

  it('goes to the next row when the opener is gone with its row', async () => {
    render(<Rows />)
    press('first')
    press('Close')
    await waitFor(() => expect(document.activeElement?.textContent).toBe('second'))
  })

  it('goes to the content when the opener is gone', async () => {
    render(<Screen loses />)
    openAndClose()
    await waitFor(() => expect(document.activeElement?.id).toBe('content'))
  })
})
