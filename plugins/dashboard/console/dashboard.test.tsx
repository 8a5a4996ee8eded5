import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, fireEvent, render, screen, within } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { useSession } from '#console'
import type { DataRow } from '../schema.ts'
import DashboardScreen from './dashboard-screen.tsx'
import { chartData } from './series.ts'
import { assignColors, keptColors } from './series-colors.ts'
import { spanOf, stepsOf, timeLabel } from './span.ts'

const row = (model_name: string, created_at: number, quota: number): DataRow => ({
  id: 0,
  user_id: 0,
  username: '',
  model_name,
  created_at,
  token_used: quota * 2,
  count: 1,
  quota,
})

describe('the series of a chart', () => {
  it('are the six largest models and the rest', () => {
    const rows = Array.from({ length: 9 }, (_, at) => row(`m${at}`, 3600, at + 1))
    const { series, totals, modelCount } = chartData(rows, 'quota', [0, 3600])
    expect(series.map(({ model, total }) => [model, total])).toEqual([
      ['m8', 9],
      ['m7', 8],
      ['m6', 7],
      ['m5', 6],
      ['m4', 5],
      ['m3', 4],
      [undefined, 6],
    ])
    expect(series.at(-1)?.values).toEqual([0, 6])
    expect(totals).toEqual({ quota: 45, count: 9, token_used: 90 })
    expect(modelCount).toBe(9)
  })

  it('keep the models that the server made one in the rest, and count them', () => {
    const rows = [row('*', 0, 50), row('*', 3600, 1), row('a', 0, 3), row('b', 3600, 4)]
    const { series, totals, modelCount } = chartData(rows, 'quota', [0, 3600], 300)
    expect(series.map(({ model, values }) => [model, values])).toEqual([
      ['b', [0, 4]],
      ['a', [3, 0]],
      [undefined, [50, 1]],
    ])
    expect(totals.quota).toBe(58)
    expect(modelCount).toBe(300)
  })

  it('name a seventh model rather than "other" of one', () => {
    const rows = Array.from({ length: 7 }, (_, at) => row(`m${at}`, 0, 1))
    const { series } = chartData(rows, 'count', [0])
    expect(new Set(series.map(({ model }) => model))).toEqual(
      new Set(rows.map((_, at) => `m${at}`)),
    )
  })

  it('keep the colour of their model whatever else is shown, also on the next visit', () => {
    const many = Array.from({ length: 12 }, (_, at) => `model-${at}`)
    const first = keptColors(many)
    expect(new Set(first.values()).size).toBe(12)
    for (const model of many) {
      const later = keptColors([model, 'after', 'before'])
      expect(later.get(model)).toBe(first.get(model))
    }
  })

  it('never have one colour twice: the smaller of two gives way', () => {
    const known = new Map([
      ['large', 3],
      ['small', 3],
    ])
    const colors = assignColors(['large', 'small'], known)
    expect(colors.get('large')).toBe(3)
    expect(colors.get('small')).not.toBe(3)
    expect(known.get('small')).toBe(3)
  })
})

describe('the span', () => {
  const now = new Date(2026, 10, 22, 15, 30)

  it('is whole days up to now, or the last 24 hours', () => {
    const week = spanOf('7d', now)
    expect(new Date(week.start * 1000)).toEqual(new Date(2026, 10, 16))
    expect(stepsOf(week, 'day')).toHaveLength(7)
    expect(stepsOf(spanOf('1d', now), 'hour')).toHaveLength(24)
    expect(timeLabel(week.start, 'day')).toBe('11-16')
    expect(timeLabel(week.start, 'hour')).toBe('11-16 00:00')
  })

  it('begins weeks on Mondays', () => {
    const [first] = stepsOf(spanOf('1d', now), 'week')
    expect(new Date((first ?? 0) * 1000)).toEqual(new Date(2026, 10, 16))
  })
})

const hour = Math.floor(Date.now() / 3_600_000) * 3600

function serve(rows: DataRow[], refusal?: string, more: object = {}) {
  const asked: URL[] = []
  vi.stubGlobal('fetch', async (address: string) => {
    const url = new URL(address, 'http://console.test')
    if (url.pathname === '/api/mark/')
      return Response.json({ success: true, data: { makers: [], marks: {}, providers: {} } })
    asked.push(url)
    if (url.pathname === '/api/data/users' && refusal)
      return Response.json({ success: false, message: refusal })
    const data = url.pathname === '/api/data/users' ? [{ ...row('', 0, 5), username: 'bob' }] : rows
    return Response.json({ success: true, message: '', data, counted_at: 1_795_168_800, ...more })
  })
  return asked
}

function show(role: number) {
  useSession.setState({ user: { id: 3, username: 'ada', role, group: 'default' } })
  const router = createMemoryRouter([{ path: '*', element: <DashboardScreen /> }])
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  render(
    <QueryClientProvider client={client}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  return router
}

afterEach(() => vi.unstubAllGlobals())

describe('the dashboard', () => {
  it('shows a user the own sums, and the chart as a table', async () => {
    const asked = serve([row('gpt-4o', hour, 500_000)])
    show(1)
    expect(screen.getByText('Sums of the usage log.')).toBeTruthy()
    expect(await screen.findAllByText('$1')).not.toHaveLength(0)
    fireEvent.click(screen.getByRole('button', { name: 'Show data' }))
    const table = screen.getByRole('table', { name: 'Data of the chart' })
    expect(within(table).getByRole('columnheader', { name: 'gpt-4o' })).toBeTruthy()
    expect(asked.map(({ pathname }) => pathname)).toEqual(['/api/data/self/'])
    expect(screen.queryByText('Users who spent most')).toBeNull()
    expect(screen.queryByRole('button', { name: '1 year' })).toBeNull()
  })

  it('says when calls are not counted', async () => {
    serve([], undefined, { is_stopped: true })
    show(1)
    const said = await screen.findByText(/^Calls made now are not counted/)
    expect(said.getAttribute('role')).toBe('status')
  })

  it('leads an admin from the ranking to one user, and Back to the ranking', async () => {
    const asked = serve([row('gpt-4o', hour, 500_000)])
    const router = show(10)
    fireEvent.click(await screen.findByRole('button', { name: 'bob' }))
    expect(await screen.findByDisplayValue('bob')).toBeTruthy()
    expect(asked.at(-1)?.searchParams.get('username')).toBe('bob')
    expect(asked.at(-1)?.searchParams.get('user_id')).toBe('0')
    await act(() => router.navigate(-1))
    expect(await screen.findByRole('button', { name: 'bob' })).toBeTruthy()
  })

  it('stays where it is read when its form changes, and begins at the top for another user', async () => {
    serve([row('gpt-4o', hour, 500_000)])
    const router = show(10)
    const ranking = await screen.findByRole('button', { name: 'bob' })
    fireEvent.click(screen.getByRole('button', { name: 'Share' }))
    expect(router.state.location.search).toBe('?kind=share')
    expect(router.state.preventScrollReset).toBe(true)
    fireEvent.click(ranking)
    expect(await screen.findByDisplayValue('bob')).toBeTruthy()
    expect(router.state.preventScrollReset).toBe(false)
  })

  it('shows a day until the end that is typed, and until now from a typed start', async () => {
    serve([row('gpt-4o', hour, 500_000)])
    const router = show(1)
    const type = (place: string, text: string) => {
      fireEvent.input(screen.getByPlaceholderText(place), { target: { value: text } })
      fireEvent.blur(screen.getByPlaceholderText(place))
      return new URLSearchParams(router.state.location.search)
    }
    const end = new Date(2026, 4, 2).getTime() / 1000
    const day = type('To', '2026-05-02')
    expect(day.get('start_timestamp')).toBe(String(end - 86_400))
    expect(day.get('end_timestamp')).toBe(String(end))
    const since = type('From', '2026-05-03 12:00')
    expect(since.get('start_timestamp')).toBe(String(end + 1.5 * 86_400))
    expect(Number(since.get('end_timestamp'))).toBeGreaterThan(end + 2 * 86_400)
  })

  it('says why the ranking is not there', async () => {
    serve([row('gpt-4o', hour, 500_000)], 'The database is away.')
    show(10)
    expect(await screen.findByText('The database is away.')).toBeTruthy()
    expect(screen.queryByText('No calls in this period')).toBeNull()
  })

  it('gives up reading from a server that never answers', async () => {
    vi.useFakeTimers()
    vi.stubGlobal(
      'fetch',
      (_address: string, { signal }: RequestInit) =>
        new Promise((_, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason as Error))
        }),
    )
    show(1)
    await act(() => vi.advanceTimersByTimeAsync(61_000))
    vi.useRealTimers()
    expect(await screen.findByText(/has not answered for a minute/)).toBeTruthy()
  })

  it('says that there were no calls', async () => {
    serve([])
    show(1)
    expect(await screen.findByText('No calls in this period')).toBeTruthy()
  })
})
