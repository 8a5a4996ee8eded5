import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { usePreferences } from '../../stores/preferences.ts'
import { ActionMenu } from './action-menu.tsx'
import { RowActions } from './row-actions.tsx'

const focused = () => document.activeElement?.textContent

async function open(run = vi.fn()) {
  const actions = [
    { label: 'Copy', run: vi.fn() },
    { label: 'Export', isDisabled: true, run: vi.fn() },
    { label: 'Delete', run },
  ]
  render(
    <ActionMenu label="More" actions={actions}>
      <button type="button">More</button>
    </ActionMenu>,
  )
  fireEvent.click(screen.getByRole('button', { name: 'More' }))
  await waitFor(() => expect(focused()).toBe('Copy'))
}

const press = (key: string) => fireEvent.keyDown(document.activeElement as Element, { key })

describe('actions behind a button', () => {
  it('are walked through with the arrow keys, past what is disabled and around', async () => {
    await open()
    press('ArrowDown')
    expect(focused()).toBe('Delete')
    press('ArrowDown')
    expect(focused()).toBe('Copy')
    press('End')
    expect(focused()).toBe('Delete')
  })

  it('run and give the focus back to the button', async () => {
    const run = vi.fn()
    await open(run)
    fireEvent.click(screen.getByRole('menuitem', { name: 'Delete' }))
    expect(run).toHaveBeenCalledOnce()
    expect(focused()).toBe('More')
  })

  it('are not covered by the name of their button', async () => {
    render(<ActionMenu label="More" actions={[{ label: 'Copy', run: vi.fn() }]} />)
    const button = screen.getByRole('button', { name: 'More' })
    fireEvent.mouseEnter(button)
    expect(await screen.findByRole('tooltip')).toBeTruthy()
    fireEvent.click(button)
    await waitFor(() => expect(focused()).toBe('Copy'))
    await waitFor(() => expect(screen.queryByRole('tooltip')).toBeNull())
  })

  it('close on Escape without doing anything', async () => {
    const run = vi.fn()
    await open(run)
    const button = screen.getByRole('button', { name: 'More' })
    expect(button.getAttribute('aria-expanded')).toBe('true')
    press('Escape')
    expect(button.getAttribute('aria-expanded')).toBe('false')
    expect(focused()).toBe('More')
    expect(run).not.toHaveBeenCalled()
  })
})

it('hand the focus on when they go away with their row', async () => {
  const table = (names: readonly string[]) => (
    <div className="data-table">
      <table>
        <tbody>
          {names.map((name) => (
            <tr key={name}>
              <td>
                <ActionMenu label={name} actions={[{ label: `Copy ${name}`, run: vi.fn() }]} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
  const { rerender } = render(table(['first', 'second']))
  fireEvent.click(screen.getByRole('button', { name: 'first' }))
  await waitFor(() => expect(focused()).toBe('Copy first'))
  rerender(table(['second']))
  const next = screen.getByRole('button', { name: 'second' })
  await waitFor(() => expect(document.activeElement).toBe(next))
})

it('names a button of a row as each language writes it', async () => {
  const actions = [{ label: 'Test', run: vi.fn() }]
  render(<RowActions actions={actions} subject="main" />)
  expect(screen.getByRole('button', { name: 'Test: main' })).toBeTruthy()
  act(() => usePreferences.getState().setLanguage('zh'))
  expect(await screen.findByRole('button', { name: 'Test：main' })).toBeTruthy()
  act(() => usePreferences.getState().setLanguage('en'))
  expect(await screen.findByRole('button', { name: 'Test: main' })).toBeTruthy()
})
