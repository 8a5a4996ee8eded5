import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { useSession } from '#console'
import { queryClient } from '../../../console/api/query-client.ts'
import type { LogRow } from './log-row.ts'
import LogScreen from './log-screen.tsx'

const attempts = [
  {
    channel_id: 3,
    channel_name: 'Main',
    status: 429,
    failure_class: 'throttled',
    started_at_ms: new Date(2026, 10, 20, 13, 0, 5, 40).getTime(),
    duration_ms: 310,
  },
  { channel_id: 9, channel_name: '', status: 200, duration_ms: 900 },
]
const call: LogRow = {
  id: 7,
  place: 0,
  created_at: 1_795_196_349,
  type: 2,
  content: '',
  user_id: 4,
  username: 'ada',
  token_name: 'laptop',
  model_name: 'gpt-4o',
  quota: 1_500,
  prompt_tokens: 1_000,
  completion_tokens: 20,
  use_time: 1,
  use_time_ms: 840,
  is_stream: true,
  channel: 9,
  channel_name: 'Second',
  group: 'default',
  other: JSON.stringify({
    frt: 1_200,
    receipt: { lines: [], total: 1_500 },
    admin_info: { use_channel: ['3', '9'], attempts },
  }),
}
const test: LogRow = {
  ...call,
  id: 8,
  token_name: 'channel test',
  other: '{"op":"channel_test","is_priced":true}',
}
const topUp: LogRow = { ...call, id: 9, type: 1, model_name: '', content: 'Redeemed', other: '' }

const asked: URL[] = []

function show(role: number, rows: LogRow[], lost?: string) {
  useSession.setState({ user: { id: 1, username: 'me', role, group: 'default' } })
  asked.length = 0
  vi.stubGlobal('fetch', async (address: string) => {
    const url = new URL(address, 'http://console.test')
    asked.push(url)
    if (url.pathname === lost) throw new TypeError('cut')
    const data = url.pathname.endsWith('/stat')
      ? { quota: 500_000, rpm: 1, tpm: 2 }
      : url.pathname.startsWith('/api/log')
        ? { items: rows, total: rows.length }
        : url.pathname === '/api/mark/'
          ? { makers: [], marks: {}, providers: {} }
          : []
    return Response.json({ success: true, message: '', data })
  })
  const router = createMemoryRouter([{ path: '*', element: <LogScreen /> }])
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
}

const rowOf = async (text: string) =>
  within((await screen.findByText(text)).closest('tr') ?? document.body)

afterEach(() => {
  // A mounted screen would fetch again.
  cleanup()
  queryClient.clear()
  vi.unstubAllGlobals()
  useSession.setState({ user: undefined })
})

describe('the usage log', () => {
  it.each([
    ['an admin', 10, '/api/group/'],
    ['a user', 1, '/api/user/self/groups'],
  ])('says to %s that the groups could not be loaded', async (_who, role, path) => {
    show(role, [call], path)
    fireEvent.click(await screen.findByRole('button', { name: 'More filters' }))
    fireEvent.click(screen.getByRole('combobox', { name: 'Group' }))
    expect((await screen.findByRole('alert')).textContent).toContain('Could not reach the server')
  })

  it('says of which period its sum is', async () => {
    show(10, [call])
    const summary = await screen.findByLabelText('Summary of the filtered calls')
    await within(summary).findByText('$1')
    expect(within(summary).getByText('All time')).toBeTruthy()
  })

  it('shows a call in milliseconds, never shorter than its first token', async () => {
    show(10, [call])
    const row = await rowOf('gpt-4o')
    expect(row.getByText('1.2 s')).toBeTruthy()
    expect(row.getByText('$0.003')).toBeTruthy()
    expect(row.getByText('OK, 2 tries')).toBeTruthy()
  })

  it.each([
    ['gpt-4o', 'model_name', 'gpt-4o'],
    ['Second', 'channel', '9'],
  ])('filters by a click on %s', async (text, name, value) => {
    show(10, [call])
    fireEvent.click(await screen.findByText(text))
    await waitFor(() =>
      expect(asked.some(({ searchParams }) => searchParams.get(name) === value)).toBe(true),
    )
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('opens a row with every attempt, its cause and its time for admins', async () => {
    show(10, [call])
    fireEvent.click((await rowOf('gpt-4o')).getByText(/^\d{4}-/))
    const list = within(await screen.findByRole('region', { name: 'Attempts' }))
    expect(list.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'Main #3Rate limited (429)13:00:05.040310 ms',
      'Deleted channel #9Answered900 ms',
    ])
    expect(screen.getByRole('region', { name: 'Receipt' })).toBeTruthy()
  })

  it('shows users neither channels nor attempts nor who they are', async () => {
    show(1, [call])
    const row = await rowOf('gpt-4o')
    const logs = asked.map(({ pathname }) => pathname).filter((path) => path.includes('/log/'))
    expect(new Set(logs)).toEqual(new Set(['/api/log/self/', '/api/log/self/stat']))
    expect(row.queryByText('Second')).toBeNull()
    expect(row.queryByText('ada')).toBeNull()
    expect(row.getByText('laptop')).toBeTruthy()
    fireEvent.click(row.getByText(/^\d{4}-/))
    await screen.findByRole('region', { name: 'Receipt' })
    expect(screen.queryByRole('region', { name: 'Attempts' })).toBeNull()
  })

  it('names the type of a row that is no call, and charges nobody for a test', async () => {
    show(1, [topUp, test])
    expect((await rowOf('Redeemed')).getByText('Top-up')).toBeTruthy()
    const row = await rowOf('gpt-4o')
    expect(row.getByText('Not charged')).toBeTruthy()
    expect(row.getByText('Test')).toBeTruthy()
    expect(row.queryByText('$0.003')).toBeNull()
  })
})
