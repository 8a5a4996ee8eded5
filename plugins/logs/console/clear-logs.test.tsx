import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { ConfirmHost } from '../../../console/kit/confirm.tsx'
import { pluginTexts } from '../../../console/texts/i18n.ts'
import ClearLogs from './clear-logs.tsx'

await pluginTexts('logs')

afterEach(() => vi.unstubAllGlobals())

function show(counts = [12]) {
  const calls: string[] = []
  const left = [...counts]
  vi.stubGlobal('fetch', async (path: string, { method }: RequestInit) => {
    calls.push(`${method} ${path}`)
    const data = left.shift()
    return data === undefined
      ? Response.json({ success: false, message: 'The database is full.' })
      : Response.json({ success: true, message: '', data })
  })
  render(
    <>
      <ClearLogs />
      <ConfirmHost />
    </>,
  )
  return calls
}

/** The last one: that of the dialog, when it is open. */
const press = (name: string) =>
  fireEvent.click(screen.getAllByRole('button', { name }).at(-1) as HTMLElement)

describe('clearing the log', () => {
  it('asks for a time first', async () => {
    const calls = show()
    press('Clear logs')
    await screen.findByText('Please select the log record time.')
    expect(calls).toEqual([])
  })

  async function clear(calls: string[]): Promise<void> {
    const field = screen.getByPlaceholderText('Choose a time')
    fireEvent.click(field)
    fireEvent.change(field, { target: { value: '2026-01-02 03:04:05' } })
    fireEvent.keyDown(field, { key: 'Enter', keyCode: 13 })
    press('Clear logs')
    const typed = await screen.findByLabelText(/2026-01-02/)
    expect(calls).toEqual([])
    fireEvent.change(typed, { target: { value: '2026-01-02' } })
    press('Clear logs')
  }

  it('deletes what is older when the day has been typed, and says how much it was', async () => {
    const calls = show()
    await clear(calls)
    await screen.findByText('12 logs cleared.')
    const seconds = new Date('2026-01-02T03:04:05').getTime() / 1000
    await waitFor(() =>
      expect(calls).toEqual([`DELETE /api/log/?target_timestamp=${seconds}&limit=10000`]),
    )
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('says how far it came when a slice fails', async () => {
    const calls = show([10_000])
    await clear(calls)
    await screen.findByText('10,000 logs cleared before it stopped. Clear again to go on.')
    expect(calls).toHaveLength(2)
  })

  it('goes on slice by slice, and sums up', async () => {
    const calls = show([10_000, 10_000, 1])
    await clear(calls)
    await screen.findByText('20,001 logs cleared.')
    expect(calls).toHaveLength(3)
  })
})
