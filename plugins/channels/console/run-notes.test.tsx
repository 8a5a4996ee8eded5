import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { formatTime } from '#console'
import { pluginTexts } from '../../../console/texts/i18n.ts'
import type { ChannelRun } from '../schema.ts'
import { RunNotes } from './run-notes.tsx'

await pluginTexts('channels')

afterEach(() => {
  vi.unstubAllGlobals()
  localStorage.clear()
})

const beginning = Math.floor(Date.now() / 1000) - 100
const run: ChannelRun = {
  kind: 'test',
  state: 'running',
  host: 'node-7 (42)',
  username: 'boss',
  stopped_by: '',
  total: 10_000,
  done: 2_500,
  failed: 3,
  skipped: 0,
  started_at: beginning,
  ended_at: 0,
}
const ended = { ...run, state: 'done', done: 10_000, ended_at: beginning + 90 } as const

/** The server's answers in order; the last one is repeated. */
function show(...answers: ChannelRun[][]) {
  const calls: string[] = []
  const left = [...answers]
  vi.stubGlobal('fetch', async (path: string, { method = 'GET', body }: RequestInit) => {
    if (method !== 'GET') calls.push(`${method} ${path} ${typeof body === 'string' ? body : ''}`)
    const data = method === 'GET' && left.length > 1 ? left.shift() : left[0]
    return Response.json({ success: true, message: '', data })
  })
  const onEnd = vi.fn(async () => undefined)
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const { container } = render(
    <QueryClientProvider client={client}>
      <RunNotes onEnd={onEnd} />
    </QueryClientProvider>,
  )
  return { calls, onEnd, container }
}

describe('runs over all channels on their screen', () => {
  it('show how far they are, to whoever opens it, and are stopped', async () => {
    const stopping = { ...run, state: 'stopping', stopped_by: 'root' } as const
    const { calls, container } = show([run], [stopping])
    await screen.findByText('All channels are being tested')
    expect(container.textContent).toContain('2,500 of 10,000 channels, 3 failed')
    expect(container.textContent).toContain(
      `Begun ${formatTime(beginning)} by boss on node-7 (42).`,
    )
    expect(screen.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('25')
    fireEvent.click(screen.getByRole('button', { name: 'Stop' }))
    await screen.findByText('The test of all channels is being stopped')
    expect(calls).toEqual(['POST /api/channel/runs/stop {"kind":"test"}'])
  })

  it('read the list anew when they end, and say how it came out until that is put away', async () => {
    const { onEnd, container } = show([run], [ended])
    await screen.findByText('All channels have been tested')
    expect(onEnd).toHaveBeenCalledOnce()
    expect(container.textContent).toContain(`Ended ${formatTime(beginning + 90)}.`)
    fireEvent.click(screen.getByRole('button', { name: 'Put away' }))
    await waitFor(() => expect(container.textContent).toBe(''))
    const again = show([ended])
    await waitFor(() => expect(again.container.textContent).toBe(''))
  })

  it.each([
    [{ state: 'stopped', stopped_by: 'root' }, 'stopped by root'],
    [{ state: 'failed' }, 'broke off; the server log says why'],
    [{ state: 'lost' }, 'ended with the process that ran it'],
  ] as const)('say why they ended early: %o', async (end, words) => {
    const { container } = show([{ ...ended, ...end, kind: 'balance' }])
    await waitFor(() => expect(container.textContent).toContain(words))
  })

  it('show what the schedule has begun, too', async () => {
    const scheduled = { ...run, username: '' }
    const { container } = show([scheduled])
    await waitFor(() => expect(container.textContent).toContain('by the schedule on node-7'))
  })

  it.each([{ username: '' }, { started_at: beginning - 200_000, ended_at: beginning - 199_000 }])(
    'say nothing of one that is no news: %o',
    async (change) => {
      const { container } = show([
        { ...ended, ...change },
        { ...ended, kind: 'balance' },
      ])
      await screen.findByText('All balances have been updated')
      expect(container.textContent).not.toContain('tested')
    },
  )
})
