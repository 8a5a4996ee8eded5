import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen, within } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { useSession } from '#console'
import type { Task } from '../schema.ts'
import TaskScreen from './task-screen.tsx'

const task: Task = {
  id: 9,
  created_at: 1_744_612_345,
  updated_at: 1_744_612_400,
  task_id: 'song-1',
  platform: 'suno',
  user_id: 3,
  channel_id: 5,
  quota: 0,
  action: 'MUSIC',
  status: 'SUCCESS',
  fail_reason: '',
  submit_time: 1_744_612_345,
  start_time: 0,
  finish_time: 1_744_612_375,
  progress: '100%',
  properties: { input: 'rain' },
  data: [{ id: 'c1' }],
}

function show(role: number, rows: Task[]) {
  const asked: URL[] = []
  vi.stubGlobal('fetch', async (address: string) => {
    asked.push(new URL(address, 'http://console.test'))
    return Response.json({ success: true, message: '', data: rows })
  })
  useSession.setState({ user: { id: 3, username: 'ada', role, group: 'default' } })
  const router = createMemoryRouter([{ path: '*', element: <TaskScreen /> }])
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  render(
    <QueryClientProvider client={client}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  return asked
}

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

describe('the task log', () => {
  it('begins at midnight, in seconds, and shows the whole record on a press', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date(2026, 4, 2, 23, 59) })
    const asked = show(1, [task])
    fireEvent.click(await screen.findByRole('button', { name: 'song-1' }))
    const record = within(await screen.findByRole('dialog')).getByRole('region')
    expect(JSON.parse(record.textContent ?? '')).toEqual(task)
    const query = asked[0]?.searchParams
    expect(asked[0]?.pathname).toBe('/api/task/self')
    expect(Number(query?.get('start_timestamp'))).toBe(new Date(2026, 4, 2).getTime() / 1000)
    expect(query?.get('end_timestamp')).toBeNull()
    expect(screen.getByText('30 s').className).toContain('tone-success')
    expect(screen.queryByRole('columnheader', { name: 'Channel' })).toBeNull()
  })

  it('shows what is no number as it is, and an empty status as being submitted', async () => {
    show(10, [{ ...task, progress: 'in queue', status: '', finish_time: 0 }])
    expect(await screen.findByText('in queue')).toBeTruthy()
    expect(screen.getByText('Submitting')).toBeTruthy()
    expect(screen.getByRole('columnheader', { name: 'Channel' })).toBeTruthy()
  })
})
