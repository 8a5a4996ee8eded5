import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { formatTime } from '#console'
import { ConfirmHost } from '../../../console/kit/confirm.tsx'
import { pluginTexts } from '../../../console/texts/i18n.ts'
import type { Clearing } from '../schema.ts'
import ClearLogs from './clear-logs.tsx'

await pluginTexts('logs')

afterEach(() => vi.unstubAllGlobals())

const clearing: Clearing = {
  target_timestamp: 1_760_000_000,
  username: 'boss',
  started_at: 1_760_000_100,
  ended_at: 0,
  cleared: 20_001,
  state: 'running',
}
const before = formatTime(clearing.target_timestamp)

/** The server's answers in order; the last one is repeated. */
function show(...answers: (Clearing | null)[]) {
  const calls: string[] = []
  const left = [...answers]
  vi.stubGlobal('fetch', async (path: string, { method = 'GET', body }: RequestInit) => {
    if (method !== 'GET') calls.push(`${method} ${path} ${typeof body === 'string' ? body : ''}`)
    const data = method === 'GET' && left.length > 1 ? left.shift() : left[0]
    return Response.json({ success: true, message: '', data })
  })
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  render(
    <QueryClientProvider client={client}>
      <ClearLogs />
      <ConfirmHost />
    </QueryClientProvider>,
  )
  return calls
}

/** The last button, which is that of the dialog while one is open. */
const press = (name: string) =>
  fireEvent.click(screen.getAllByRole('button', { name }).at(-1) as HTMLElement)

describe('clearing the log', () => {
  it('asks for a time first', async () => {
    const calls = show(null)
    press('Clear logs')
    await screen.findByText('Please select the log record time.')
    expect(calls).toEqual([])
  })

  it('begins when the day has been typed, and says how much it was', async () => {
    const calls = show(null, { ...clearing, state: 'done', cleared: 12, ended_at: 1_760_000_200 })
    const field = screen.getByPlaceholderText('Choose a time')
    fireEvent.click(field)
    fireEvent.change(field, { target: { value: '2026-01-02 03:04:05' } })
    fireEvent.keyDown(field, { key: 'Enter', keyCode: 13 })
    press('Clear logs')
    const typed = await screen.findByLabelText(/2026-01-02/)
    expect(calls).toEqual([])
    fireEvent.change(typed, { target: { value: '2026-01-02' } })
    press('Clear logs')
    await screen.findByText('12 logs cleared.')
    const seconds = new Date('2026-01-02T03:04:05').getTime() / 1000
    expect(calls).toEqual([`POST /api/log/clearing {"target_timestamp":${seconds}}`])
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('shows one that runs to whoever comes back, and its end', async () => {
    show(clearing, { ...clearing, state: 'done', cleared: 30_000, ended_at: 1_760_000_900 })
    const status = await screen.findByRole('status')
    expect(status.textContent).toBe(
      `Logs from before ${before} are being cleared (by boss): 20,001 logs so far. You may leave this page.`,
    )
    expect(screen.getByPlaceholderText('Choose a time')).toHaveProperty('disabled', true)
    await screen.findByText('30,000 logs cleared.')
  })

  it('stops one that runs', async () => {
    const calls = show(clearing, { ...clearing, state: 'cancelled', ended_at: 1_760_000_900 })
    fireEvent.click(await screen.findByRole('button', { name: 'Stop' }))
    await screen.findByText(
      `The clearing of logs from before ${before} by boss was stopped at ${formatTime(1_760_000_900)}, after 20,001 logs.`,
    )
    expect(calls[0]).toContain('POST /api/log/clearing/stop')
    expect(screen.queryByRole('button', { name: 'Stop' })).toBeNull()
  })

  it('shows what the last one came to', async () => {
    show({ ...clearing, state: 'done', cleared: 1, ended_at: 1_760_000_900 })
    await screen.findByText(
      `Last cleared ${formatTime(1_760_000_900)} by boss: 1 log from before ${before}.`,
    )
  })

  it('says how far it came when it broke off', async () => {
    show({ ...clearing, state: 'stopped', ended_at: 1_760_000_900 })
    await screen.findByText(
      `The clearing of logs from before ${before} by boss broke off at ${formatTime(1_760_000_900)}, after 20,001 logs; the server log says why. Clear again to go on.`,
    )
  })
})
