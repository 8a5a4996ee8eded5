import { expect, it, onTestFinished } from 'vitest'
import { consumptionRows, relayRoom, sendJson } from '#test'
import { inspectable, Inspector } from '../../../../test/harness/inspector.ts'

const room = relayRoom({
  channels: [{ models: 'm' }],
  priced: ['m'],
  customer: 'waiter',
  env: { NODE_OPTIONS: inspectable },
  isWithin: false,
})

const RESPONSES = 20
const PICTURE_MEGABYTES = 2

async function post(): Promise<void> {
  const picture = `data:image/png;base64,${'A'.repeat(PICTURE_MEGABYTES * 1_048_576)}`
  const content = [{ type: 'input_image', image_url: picture }]
  const body = { model: 'm', input: [{ role: 'user', content }], background: true }
  const answer = await room.post('/v1/responses', body)
  expect(answer.status).toBe(200)
  await answer.text()
}

it('responses that are followed for hours do not keep the pictures of their prompts', async () => {
  let status = 'queued'
  let number = 0
  room.upstream.behave((response, { method }) => {
    const usage = { input_tokens: 10, output_tokens: 5, total_tokens: 15 }
    const id = `resp_${method === 'POST' ? ++number : 1}`
    sendJson(response, { id, object: 'response', background: true, output: [], usage, status })
  })
  const inspector = await Inspector.attach(room.app.process)
  onTestFinished(() => inspector.close())
  const heap = async () => (await inspector.holdings()).heapMegabytes
  await post()
  const before = await heap()
  for (let made = 0; made < RESPONSES; made++) await post()
  const most = before + (RESPONSES * PICTURE_MEGABYTES) / 4
  await expect.poll(heap).toBeLessThan(most)
  status = 'completed'
  const rows = () => consumptionRows(room.app.root, room.customer.username)
  await expect.poll(rows).toHaveLength(RESPONSES + 1)
})
