// Responses in the background: their upstream goes on with them whoever reads, so what they used at their end is charged.
import OpenAI from 'openai'
import { beforeEach, describe, expect, it } from 'vitest'
import { consumptionRows, flushed, relayRoom, sendJson, writeEvents } from '#test'
import { countTokens } from '../../../billing/counting/count-tokens.ts'

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

/** Responses are looked at a second after they have begun, and less and less often then. */
const patient = { timeout: 15_000 }

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

describe('a response that its client has read while it was made', () => {
  const words = Array.from({ length: 50 }, (_, at) => ` word${at}`)
  const deltas = words.map((delta, at) => ({
    type: 'response.output_text.delta',
    sequence_number: at + 1,
    item_id: 'msg_1',
    output_index: 0,
    delta,
  }))
  const all = countTokens(words.join(''), 'm')
  let state = 'in_progress'
  let isSlow = true

  beforeEach(() => {
    state = 'in_progress'
    room.upstream.behave((answer, { path, method, body: sent }) => {
      const { pathname, searchParams } = new URL(path, 'http://host')
      const after = Number(searchParams.get('starting_after') ?? -1)
      if (method === 'DELETE') state = 'gone'
      if (pathname.endsWith('/cancel')) state = 'cancelled'
      if (state === 'gone' && method === 'GET')
        return sendJson(answer, { error: { message: 'gone', type: 'x' } }, 404)
      if (method === 'GET' && searchParams.get('stream') === 'true')
        return writeEvents(answer, [begun[0]!, ...deltas].slice(after + 1))
      if (pathname === '/v1/responses' && sent['stream'])
        return writeEvents(answer, [begun[0]!, ...deltas.slice(0, 20)])
      const partly = isSlow
        ? {}
        : { output: [{ ...output[0], content: [{ ...text, text: words.join('') }] }] }
      sendJson(answer, response(state, state === 'in_progress' ? partly : {}))
    })
  })

  /** Reads until the last word has come. */
  async function readAll(id: string, after?: number) {
    const more = after === undefined ? {} : { starting_after: after }
    const stream = await client().responses.retrieve(id, { stream: true, ...more })
    for await (const event of stream) if (event.sequence_number === words.length) break
    stream.controller.abort()
  }

  it.each(['cancel', 'delete'] as const)('is charged for it on %s', async (how) => {
    const { id } = await client().responses.create(body)
    await readAll(id)
    await readAll(id)
    await client().responses[how](id)
    await expect.poll(rows, patient).toMatchObject([{ completion_tokens: all }])
  })

  it('is charged for all that it read, also if it read the end first', async () => {
    const { id } = await client().responses.create(body)
    await readAll(id, 45)
    await readAll(id)
    await client().responses.cancel(id)
    await expect
      .poll(async () => (await rows())[0]?.completion_tokens, patient)
      .toBeGreaterThan(all - 5)
  })

  it('is charged for both parts of what it went on to read', async () => {
    const stream = await client().responses.create({ ...body, stream: true })
    for await (const event of stream) if (event.sequence_number === 20) break
    stream.controller.abort()
    await readAll('resp_1', 20)
    await client().responses.cancel('resp_1')
    await expect
      .poll(async () => (await rows())[0]?.completion_tokens, patient)
      .toBeGreaterThan(all - 5)
  })

  it('is charged for what a whole answer held of it', async () => {
    isSlow = false
    const { id } = await client().responses.create(body)
    await client().responses.retrieve(id)
    await client().responses.delete(id)
    await expect.poll(rows, patient).toMatchObject([{ completion_tokens: all }])
  })
})
