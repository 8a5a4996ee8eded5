// A response in the background that the next process charges, after the clock was set back.
import { afterEach, expect, it, vi } from 'vitest'
import { consumptionRows, relayRoom, sendJson } from '#test'

const room = relayRoom({
  channels: [{ models: 'm' }],
  priced: ['m'],
  customer: 'waiter',
  env: { DRAIN_SECONDS: '0', SHUTDOWN_SECONDS: '1' },
  isWithin: false,
})

afterEach(() => void vi.useRealTimers())

it('never took less than no time', { timeout: 60_000 }, async () => {
  const usage = { input_tokens: 10, output_tokens: 5, total_tokens: 15 }
  let status = 'in_progress'
  room.upstream.behave((answer) =>
    sendJson(answer, { id: 'resp_1', object: 'response', model: 'm', output: [], usage, status }),
  )
  await room.post('/v1/responses', { model: 'm', input: 'Hi', background: true })
  await room.app.goOnWithin('kill')
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 3_600_000 })
  status = 'completed'
  const rows = () => consumptionRows(room.app.root, room.customer.username)
  await expect.poll(rows, { timeout: 30_000 }).toMatchObject([{ quota: 15 }])
  expect(await rows()).toMatchObject([{ use_time: 0 }])
})
