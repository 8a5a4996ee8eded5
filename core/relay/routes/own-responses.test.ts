// Responses of models whose providers store none, read and deleted with OpenAI's SDK.
import { OpenAI } from 'openai'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addCustomer, type Customer, relayRoom, sendJson, writeEvents } from '#test'

const model = 'claude-sonnet-4-5'
const room = relayRoom({
  channels: [{ models: model, type: 14 }],
  priced: [model],
  customer: 'reader',
})
let client: OpenAI

const clientOf = ({ key }: Pick<Customer, 'key'>) =>
  new OpenAI({ apiKey: key, baseURL: `${room.app.url}/v1`, maxRetries: 0 })

const usage = { input_tokens: 10, output_tokens: 5 }
const head = { id: 'msg_1', type: 'message', role: 'assistant', model, usage }
const whole = {
  ...head,
  content: [
    { type: 'text', text: 'Let me look.' },
    { type: 'tool_use', id: 'toolu_1', name: 'weather', input: { town: 'Rome' } },
  ],
  stop_reason: 'tool_use',
}
const streamed = [
  { type: 'message_start', message: { ...head, content: [], stop_reason: null } },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Sunny' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage },
  { type: 'message_stop' },
].map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)

const weather = {
  type: 'function' as const,
  name: 'weather',
  parameters: { type: 'object', properties: { town: { type: 'string' } } },
  strict: false,
}

beforeAll(() => {
  client = clientOf(room.customer)
})

beforeEach(() =>
  room.upstream.behave((response, { body }) => {
    if (body['stream'] !== true) return sendJson(response, whole)
    writeEvents(response, streamed)
    response.end()
  }),
)

const unknown = { status: 404, code: 'response_not_found', param: 'id' }

describe('a response that the gateway wrote', () => {
  it('is read again as it was told, whole or streamed', async () => {
    const asked = { model, input: 'Weather?', instructions: 'Be brief', tools: [weather] }
    const first = await client.responses.create({ ...asked, metadata: { of: 'mine' } })
    const { _request_id: _id, output_text: _text, ...told } = first
    expect(await client.responses.retrieve(first.id)).toMatchObject({ ...told, store: true })
    const second = await client.responses
      .stream({ ...asked, previous_response_id: first.id })
      .finalResponse()
    expect(await client.responses.retrieve(second.id)).toMatchObject({
      id: second.id,
      status: 'completed',
      previous_response_id: first.id,
      output_text: 'Sunny',
      usage: { input_tokens: 10, output_tokens: 5 },
    })
  })

  it('lists what the model was told, page by page', async () => {
    const first = await client.responses.create({ model, input: 'Weather?', tools: [weather] })
    const result = { type: 'function_call_output' as const, call_id: 'toolu_1', output: 'sunny' }
    const second = await client.responses.create({
      model,
      input: [result, { role: 'user', content: [{ type: 'input_text', text: 'And?' }] }],
      previous_response_id: first.id,
    })
    const items: unknown[] = []
    const pages = client.responses.inputItems.list(second.id, { order: 'asc', limit: 2 })
    for await (const item of pages) items.push(item)
    expect(items).toMatchObject([
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Weather?' }] },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text' }] },
      { type: 'function_call', name: 'weather' },
      result,
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'And?' }] },
    ])
    const ids = items.map((item) => (item as { id: unknown }).id)
    expect(ids.every((id) => typeof id === 'string')).toBe(true)
    expect(new Set(ids).size).toBe(5)
    const { data } = await client.responses.inputItems.list(second.id)
    expect(data).toEqual(items.toReversed())
  })

  it('lists an item that was sent twice as two, so that pages come to an end', async () => {
    const item = { type: 'message', id: 'msg_same', role: 'user', content: 'Hi' } as const
    const { id } = await client.responses.create({ model, input: [item, item, item] as never })
    const ids: unknown[] = []
    for await (const listed of client.responses.inputItems.list(id, { limit: 1 })) {
      ids.push(listed.id)
      if (ids.length > 3) break
    }
    expect(new Set(ids).size).toBe(3)
    expect(ids).toHaveLength(3)
  })

  it('lists what its own request said, if what was said before is not known any more', async () => {
    const first = await client.responses.create({ model, input: 'Hi' })
    const asked = { model, input: 'And?', previous_response_id: first.id }
    const second = await client.responses.create(asked)
    const long = await client.responses.create({ model, input: 'x'.repeat(4_200_000) })
    await client.responses.delete(first.id)
    const { data } = await client.responses.inputItems.list(second.id)
    expect(data).toMatchObject([{ content: [{ text: 'And?' }] }])
    expect((await client.responses.inputItems.list(long.id)).data).toHaveLength(1)
  })

  it.each([
    [{ limit: 0 }, 'limit'],
    [{ limit: 101 }, 'limit'],
    [{ limit: 1.5 }, 'limit'],
    [{ order: 'up' as 'asc' }, 'order'],
    [{ after: 'nothing' }, 'after'],
  ])('refuses to list %j', async (query, param) => {
    const { id } = await client.responses.create({ model, input: 'Hi' })
    await expect(client.responses.inputItems.list(id, query)).rejects.toMatchObject({
      status: 400,
      param,
    })
  })

  it('is deleted, and not gone on from any more', async () => {
    const { id, output } = await client.responses.create({ model, input: 'Hi' })
    await client.responses.delete(id)
    await expect(client.responses.retrieve(id)).rejects.toMatchObject(unknown)
    await expect(client.responses.inputItems.list(id)).rejects.toMatchObject(unknown)
    await expect(client.responses.delete(id)).rejects.toMatchObject(unknown)
    await expect(
      client.responses.create({ model, input: 'Go on', previous_response_id: id }),
    ).rejects.toMatchObject({ code: 'previous_response_not_found' })
    const reference = { type: 'item_reference' as const, id: output[0]?.id ?? '' }
    await expect(client.responses.create({ model, input: [reference] })).rejects.toMatchObject({
      status: 400,
    })
  })

  it('is read and deleted with long tools, and deleted although only its turn is still known', async () => {
    const ask = (description: string, id?: string) =>
      client.responses.create({
        model,
        input: 'Hi',
        tools: [{ ...weather, description }],
        ...(id === undefined ? {} : { previous_response_id: id }),
      })
    const first = await ask('x'.repeat(300_000))
    expect(await client.responses.retrieve(first.id)).toMatchObject({ tools: first.tools })
    for (let count = 0; count < 5; count += 1) await ask('x'.repeat(1_000_000))
    await expect(client.responses.retrieve(first.id)).rejects.toMatchObject(unknown)
    await ask('x', first.id)
    await client.responses.delete(first.id)
    await expect(ask('x', first.id)).rejects.toMatchObject({ code: 'previous_response_not_found' })
  })

  it('has ended: it is neither cancelled nor streamed again', async () => {
    const { id } = await client.responses.create({ model, input: 'Hi' })
    const background = /background: true/
    await expect(client.responses.cancel(id)).rejects.toThrow(background)
    await expect(client.responses.retrieve(id, { stream: true })).rejects.toThrow(background)
    expect(await client.responses.retrieve(id)).toMatchObject({ id })
  })

  it("is unknown if it is another user's, was not to be stored, or never was", async () => {
    const mine = await client.responses.create({ model, input: 'Hi' })
    const unstored = await client.responses.create({ model, input: 'Hi', store: false })
    expect(unstored).toMatchObject({ store: false })
    const stranger = clientOf(await addCustomer(room.app.root, 'stranger', 1_000_000))
    await expect(stranger.responses.retrieve(mine.id)).rejects.toMatchObject(unknown)
    await expect(stranger.responses.delete(mine.id)).rejects.toMatchObject(unknown)
    for (const id of [unstored.id, `resp_${'2'.repeat(23)}abcdefgh`, 'resp_other'])
      await expect(client.responses.retrieve(id)).rejects.toMatchObject(unknown)
    expect(await client.responses.retrieve(mine.id)).toMatchObject({ id: mine.id })
  })
})
