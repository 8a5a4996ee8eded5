// Responses in the background: their upstream goes on with them whoever reads, so what they used at their end is charged.
import OpenAI from 'openai'
import { expect, it } from 'vitest'
import { consumptionRows, flushed, relayRoom, sendJson, writeEvents } from '#test'

const room = relayRoom({
  channels: [{ models: 'm' }],
  priced: ['m'],
  customer: 'waiter',
  isAnew: true,
  env: { DRAIN_SECONDS: '0' },
})

const usage = { input_tokens: 10, output_tokens: 5000, total_tokens: 5010 }
const text = { type: 'output_text', text: 'Hello there', annotations: [] }
const output = [
  { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content: [text] },
]

const response = (status: string, more: object = {}) => ({
  id: 'resp_1',
  object: 'response',
  created_at: 1,
  model: 'm',
  background: true,
  output: [],
  ...more,
  status,
})
const done = response('completed', { output, usage })

const begun = [
  { type: 'response.created', sequence_number: 0, response: response('queued') },
  { type: 'response.output_text.delta', sequence_number: 1, item_id: 'msg_1', delta: 'Hello' },
]

const client = () =>
  new OpenAI({ apiKey: room.customer.key, baseURL: `${room.app.url}/v1`, maxRetries: 0 })

const body = { model: 'm', input: 'Hi', background: true } as const

const rows = () => consumptionRows(room.app.root, room.customer.username)

it('a stream whose client leaves is charged for all that it becomes', async () => {
  room.upstream.behave((answer, { path }) =>
    path === '/v1/responses' ? writeEvents(answer, begun) : sendJson(answer, done),
  )
  const stream = await client().responses.create({ ...body, stream: true })
  for await (const event of stream) if (event.type === 'response.output_text.delta') break
  stream.controller.abort()
  await expect.poll(rows).toMatchObject([{ quota: 5010, completion_tokens: 5000 }])
  expect(await client().responses.retrieve('resp_1')).toMatchObject({ output_text: 'Hello there' })
  expect(await rows()).toHaveLength(1)
})

it('a stream that the upstream breaks off ends with an error, and is charged so too', async () => {
  room.upstream.behave(async (answer, { path }) => {
    if (path !== '/v1/responses') return sendJson(answer, done)
    writeEvents(answer, begun)
    await flushed(answer)
    answer.destroy()
  })
  const stream = await client().responses.create({ ...body, stream: true })
  const read = async () => {
    for await (const event of stream) if (event.type === 'error') throw new Error(event.message)
  }
  await expect(read()).rejects.toThrow()
  await expect.poll(rows).toMatchObject([{ quota: 5010 }])
})

it('one that its client deletes as soon as it has ended is charged', async () => {
  let isDeleted = false
  room.upstream.behave((answer, { path, method }) => {
    if (path === '/v1/responses') return sendJson(answer, response('queued'))
    if (isDeleted) return sendJson(answer, { error: { message: 'gone', type: 'x' } }, 404)
    isDeleted = method === 'DELETE'
    sendJson(answer, isDeleted ? { id: 'resp_1', deleted: true } : done)
  })
  const { id } = await client().responses.create(body)
  await client().responses.delete(id)
  expect(isDeleted).toBe(true)
  await expect.poll(rows).toMatchObject([{ quota: 5010 }])
})
