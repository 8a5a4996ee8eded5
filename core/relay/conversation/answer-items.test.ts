// A client that refers to the items of an earlier answer, as the AI SDK does by default, at models that keep none.
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addCustomer, type Customer, relayRoom, sendJson, writeEvents } from '#test'
import { AnswerItems } from './answer-items.ts'

interface Item {
  id: string
  type: string
  call_id?: string
}

const room = relayRoom({
  channels: [{ models: 'claude-sonnet-4-5', type: 14 }, { models: 'gpt-5' }],
  priced: ['claude-sonnet-4-5', 'gpt-5'],
  customer: 'referrer',
})
let stranger: Customer

const usage = { input_tokens: 10, output_tokens: 5 }
const content = [
  { type: 'text', text: 'Let me look.' },
  { type: 'tool_use', id: 'toolu_1', name: 'weather', input: { city: 'Rome' } },
]
const message = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-sonnet-4-5',
  content,
  stop_reason: 'tool_use',
  usage,
}
const streamed = [
  { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Let me ' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'look.' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'content_block_start', index: 1, content_block: { ...content[1], input: {} } },
  {
    type: 'content_block_delta',
    index: 1,
    delta: { type: 'input_json_delta', partial_json: '{"city":"Rome"}' },
  },
  { type: 'content_block_stop', index: 1 },
  { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage },
  { type: 'message_stop' },
].map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)

const question = { role: 'user', content: 'Weather?' }
const tools = [{ type: 'function', name: 'weather', parameters: { type: 'object' } }]

const ask = (more: object) =>
  room.post('/v1/responses', { model: 'claude-sonnet-4-5', tools, input: [question], ...more })

async function firstAnswer(more: object = {}): Promise<Item[]> {
  const response = await ask(more)
  if (!('stream' in more)) return ((await response.json()) as { output: Item[] }).output
  const lines = (await response.text()).split('\n').filter((line) => line.startsWith('data: '))
  const last = JSON.parse(lines.at(-1)?.slice(6) ?? '') as { response: { output: Item[] } }
  return last.response.output
}

/** The next turn: references to what the model said, and the result of its tool. */
const nextTurn = (output: readonly Item[]) => [
  question,
  ...output.map(({ id }) => ({ type: 'item_reference', id })),
  { type: 'function_call_output', call_id: 'toolu_1', output: 'sunny' },
]

beforeAll(async () => {
  stranger = await addCustomer(room.app.root, 'stranger', 1_000_000)
})

beforeEach(() => {
  room.upstream.calls.length = 0
  room.upstream.behave((response, { body }) => {
    if (body['stream'] !== true) return sendJson(response, message)
    writeEvents(response, streamed)
    response.end()
  })
})

describe('items that a client refers to', () => {
  it.each([{}, { stream: true }])('are those of the answer before, sent with %j', async (more) => {
    const response = await ask({ input: nextTurn(await firstAnswer(more)) })
    expect(response.status).toBe(200)
    expect(room.upstream.calls.at(-1)?.body).toMatchObject({
      messages: [
        { role: 'user' },
        { role: 'assistant', content },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1' }] },
      ],
    })
  })

  it('go to OpenAI as they were, without the ids that it never gave', async () => {
    const input = nextTurn(await firstAnswer())
    room.upstream.behave((response) =>
      sendJson(response, {
        id: 'resp_1',
        object: 'response',
        status: 'completed',
        output: [
          { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Sun' }] },
        ],
        usage: { ...usage, total_tokens: 15 },
      }),
    )
    expect((await ask({ model: 'gpt-5', input, store: true })).status).toBe(200)
    const sent = room.upstream.calls.at(-1)
    expect(sent?.path).toBe('/v1/responses')
    const [, said, call] = (sent?.body['input'] ?? []) as Item[]
    expect(said).toMatchObject({ type: 'message', content: [{ text: 'Let me look.' }] })
    expect(call).toMatchObject({ type: 'function_call', call_id: 'toolu_1' })
    expect(JSON.stringify(sent?.body)).not.toMatch(/item_reference|"id"/)
  })

  it("are nobody else's: he is told what to send", async () => {
    const input = nextTurn(await firstAnswer())
    const asked = room.upstream.calls.length
    const response = await room.post(
      '/v1/responses',
      { model: 'claude-sonnet-4-5', tools, input },
      { authorization: `Bearer ${stranger.key}` },
    )
    expect(response.status).toBe(400)
    expect(await response.text()).toMatch(/input\[1\]\.type: .*store: false/)
    expect(room.upstream.calls).toHaveLength(asked)
  })

  it('are not kept of an answer that shall not be stored', async () => {
    const input = nextTurn(await firstAnswer({ store: false }))
    expect((await ask({ input })).status).toBe(400)
  })
})

describe('the store of items', () => {
  const said = (text: string) => [{ id: 'msg_1', type: 'message', role: 'assistant', text }]

  it('puts no more in place of references than a request may hold', () => {
    const items = new AnswerItems()
    items.keep(1, said('x'.repeat(200_000)))
    const input = Array.from({ length: 1000 }, () => ({ type: 'item_reference', id: 'msg_1' }))
    const restored = JSON.stringify(items.restore(1, { input }))
    expect(restored.length).toBeLessThan(5_000_000)
    expect(restored).toContain('item_reference')
  })

  it('leaves a body alone that refers to nothing', () => {
    const items = new AnswerItems()
    items.keep(1, said('Hi'))
    for (const body of [{ input: 'msg_1' }, { input: [{ role: 'user', content: 'msg_1' }] }, {}])
      expect(items.restore(1, body)).toBe(body)
  })

  it('keeps no item that is longer than most answers', () => {
    const items = new AnswerItems()
    items.keep(1, said('x'.repeat(300_000)))
    const body = { input: [{ type: 'item_reference', id: 'msg_1' }] }
    expect(items.restore(1, body)).toBe(body)
  })

  it('gives a turn for no item, and no conversation that is longer than a request may refer to', () => {
    const items = new AnswerItems()
    const turnId = (place: number) => `resp_2026112309000012345678${place}aBcDeFgH`
    for (const place of [1, 2, 3])
      items.keepTurn(1, {
        id: turnId(place),
        previous: place > 1 ? turnId(place - 1) : undefined,
        items: said('x'.repeat(1_500_000)),
        answer: { head: {}, output: [] },
      })
    const body = { input: [{ type: 'item_reference', id: turnId(1) }] }
    expect(items.restore(1, body)).toBe(body)
    expect(items.conversation(1, turnId(2))).toHaveLength(2)
    expect(items.conversation(1, turnId(3))).toBeUndefined()
    expect(items.conversation(2, turnId(1))).toBeUndefined()
  })
})
