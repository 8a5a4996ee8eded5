import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, fireEvent, render, screen, within } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { useSession } from '#console'
import type { Drawing } from '../schema.ts'
import DrawingScreen from './drawing-screen.tsx'
import { durationOf, isShowable, percentOf } from './drawing-words.ts'

const drawing: Drawing = {
  id: 1,
  code: 22,
  user_id: 3,
  action: 'HIGH_VARIATION',
  mj_id: '1744',
  prompt: 'a red fox in the snow',
  prompt_en: '',
  description: '',
  state: '',
  submit_time: 1_744_612_345_000,
  start_time: 0,
  finish_time: 1_744_612_415_000,
  created_at: 1_744_612_345,
  image_url: '/mj/image/1744',
  status: 'SUCCESS',
  progress: '100%',
  fail_reason: '',
  channel_id: 5,
  quota: 0,
  buttons: '[]',
  properties: '{}',
}

async function show(role: number, rows: Drawing[] = [drawing]) {
  const asked: URL[] = []
  vi.stubGlobal('fetch', async (address: string) => {
    asked.push(new URL(address, 'http://console.test'))
    return Response.json({ success: true, message: '', data: rows })
  })
  useSession.setState({ user: { id: 3, username: 'ada', role, group: 'default' } })
  const router = createMemoryRouter([{ path: '*', element: <DrawingScreen /> }])
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  // The calendar of the period comes by itself; without waiting React would leave the rest undone too.
  await act(async () => {
    render(
      <QueryClientProvider client={client}>
        <RouterProvider router={router} />
      </QueryClientProvider>,
    )
  })
  return asked
}

afterEach(() => vi.unstubAllGlobals())

describe('the drawing log', () => {
  it('asks for the last thirty days in milliseconds, and shows a user no channel', async () => {
    const asked = await show(1)
    expect(await screen.findByText('Strong variation')).toBeTruthy()
    expect(asked[0]?.pathname).toBe('/api/mj/self/')
    const query = asked[0]?.searchParams
    const [start, end] = ['start_timestamp', 'end_timestamp'].map((name) => query?.get(name))
    expect(Number(end) - Number(start)).toBe((30 * 86_400 + 3600) * 1000)
    expect(Number(start)).toBeGreaterThan(1e12)
    expect(query?.get('p')).toBe('0')
    expect(screen.queryByRole('columnheader', { name: 'Channel' })).toBeNull()
    expect(screen.queryByText(/Callbacks/)).toBeNull()
  })

  it('shows an admin channel, submission and status, and that callbacks are off', async () => {
    await show(10)
    expect(await screen.findByText('Duplicate')).toBeTruthy()
    expect(screen.getByText('Done')).toBeTruthy()
    const notice = screen.getByText(/Callbacks of drawing upstreams are not enabled/)
    // How often is TASK_POLL_SECONDS, which no page knows.
    expect(notice.textContent).not.toMatch(/\d/)
    expect(screen.getByText('70 s').className).toContain('tone-danger')
  })

  it('opens the prompt and the picture', async () => {
    await show(1)
    fireEvent.click(await screen.findByRole('button', { name: 'a red fox in the snow' }))
    const dialog = await screen.findByRole('dialog')
    expect(within(dialog).getByRole('region', { name: 'Prompt' }).textContent).toBe(drawing.prompt)
    fireEvent.click(screen.getByRole('button', { name: 'Show the picture of 1744' }))
    expect(await screen.findByRole('img', { name: drawing.prompt })).toBeTruthy()
  })

  it('says what the empty list is', async () => {
    await show(1, [])
    expect(await screen.findByText('No drawings in this period')).toBeTruthy()
  })
})

describe('the fields of a drawing', () => {
  it('have a duration only when it is finished', () => {
    expect(durationOf(drawing)).toBe(70_000)
    expect(durationOf({ ...drawing, finish_time: 0 })).toBeUndefined()
  })

  it.each([
    ['42%', 42],
    ['0%', 0],
    ['', undefined],
    ['queued', undefined],
  ])('read the progress %j as %s', (text, percent) => {
    expect(percentOf(text)).toBe(percent)
  })

  it.each([
    ['/mj/image/1', true],
    ['https://cdn.example/a.png', true],
    ['//evil.example/a.png', false],
    ['javascript:alert(1)', false],
    ['', false],
  ])('show a picture from %j: %s', (address, isShown) => {
    expect(isShowable(address)).toBe(isShown)
  })
})
