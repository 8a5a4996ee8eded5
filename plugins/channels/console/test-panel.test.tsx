import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import { pluginTexts } from '../../../console/texts/i18n.ts'
import type { Channel } from './channel.ts'
import { TestPanel } from './test-panel.tsx'

await pluginTexts('channels')

const models = Array.from({ length: 10 }, (_, at) => `model-${at}`)
const channelOf = (id: number) =>
  ({ id, name: `channel ${id}`, models: models.join(','), test_model: '', status: 1 }) as Channel

/** Each test waits until it is answered. */
let begun: { model: string | null; answer(response: Response): void }[]

const passed = () => Response.json({ success: true, message: '', time: 0.25 })
const tooMany = () =>
  Response.json(
    { success: false, message: '', code: 'rate.exceeded', values: { seconds: 30 } },
    { status: 429 },
  )

beforeEach(() => {
  begun = []
  vi.stubGlobal(
    'fetch',
    (address: string, { signal }: RequestInit) =>
      new Promise<Response>((answer, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason as Error))
        begun.push({ model: new URL(address, 'http://a.test').searchParams.get('model'), answer })
      }),
  )
  return () => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  }
})

const panel = (channel: Channel | undefined) => <TestPanel channel={channel} onClose={vi.fn()} />

it('tests no further model once it is closed', async () => {
  const { rerender } = render(panel(channelOf(1)))
  fireEvent.click(await screen.findByText('Test all 10'))
  await waitFor(() => expect(begun).toHaveLength(4))
  rerender(panel(undefined))
  rerender(panel(channelOf(2)))
  // It can begin at once: nothing of the first is waited for.
  await waitFor(() => expect(screen.queryByText('Stop')).toBeNull())
  fireEvent.click(screen.getByText('Test all 10'))
  await waitFor(() => expect(begun).toHaveLength(8))
  for (const { answer } of begun) answer(passed())
  await waitFor(() => expect(begun).toHaveLength(12))
  expect(await screen.findAllByText('250 ms')).toHaveLength(4)
})

it('waits where the gateway takes no more calls, and counts that as no failure', async () => {
  render(panel(channelOf(1)))
  fireEvent.click(await screen.findByText('Test all 10'))
  await waitFor(() => expect(begun).toHaveLength(4))
  vi.useFakeTimers({ shouldAdvanceTime: true })
  for (const { answer } of begun) answer(tooMany())
  expect(await screen.findByText(/takes more calls from here in 30 s/)).toBeTruthy()
  expect(screen.queryByRole('alert')).toBeNull()
  await vi.advanceTimersByTimeAsync(30_000)
  await waitFor(() => expect(begun).toHaveLength(8))
  expect(begun.slice(4).map(({ model }) => model)).toEqual(
    expect.arrayContaining(models.slice(0, 4)),
  )
  fireEvent.click(screen.getByText('Stop'))
  await waitFor(() => expect(screen.queryByText('Stop')).toBeNull())
  expect(begun).toHaveLength(8)
})
