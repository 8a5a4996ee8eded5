// `previous_response_id`, with OpenAI's SDK, at models whose providers know no responses.
import { OpenAI } from 'openai'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addCustomer, type Customer, relayRoom, sendJson, writeEvents } from '#test'

const room = relayRoom({
  channels: [{ models: 'claude-sonnet-4-5', type: 14 }, { models: 'gpt-5' }],
  priced: ['claude-sonnet-4-5', 'gpt-5'],
  customer: 'talker',
})
const model = 'claude-sonnet-4-5'
let client: OpenAI

const clientOf = ({ key }: Pick<Customer, 'key'>) =>
  new OpenAI({ apiKey: key, baseURL: `${room.app.url}/v1`, maxRetries: 0 })

const usage = { input_tokens: 10, output_tokens: 5 }
const said = (text: string) => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model,
  content: [{ type: 'text', text }],
  stop_reason: 'end_turn',
  usage,
})
const streamed = (text: string) =>
  [
    { type: 'message_start', message: { ...said(''), content: [], stop_reason: null } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage },
    { type: 'message_stop' },
  ].map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)

/** What the models were told, in order. */
const told = () =>
  lastMessages().map(({ content }) => (typeof content === 'string' ? content : content[0]?.text))

function lastMessages(): { content: string | { text: string }[] }[] {
  return (room.upstream.calls.at(-1)?.body['messages'] ?? []) as ReturnType<typeof lastMessages>
}

beforeAll(() => {
  client = clientOf(room.customer)
})

beforeEach(() => {
  room.upstream.calls.length = 0
  let count = 0
  room.upstream.behave((response, { body }) => {
    count += 1
    if (body['stream'] !== true) return sendJson(response, said(`Answer ${count}`))
    writeEvents(response, streamed(`Answer ${count}`))
    response.end()
  })
})

describe('a response that goes on from another', () => {
  it('is told all that was said before, whole or as a stream, each turn once', async () => {
    const first = await client.responses.create({ model, input: 'One', instructions: 'Be brief' })
    const stream = client.responses.stream({
      model,
      input: [{ role: 'user', content: 'Two' }],
      previous_response_id: first.id,
    })
    const second = await stream.finalResponse()
    const third = await client.responses.create({
      model,
      input: 'Three',
      previous_response_id: second.id,
    })
    expect(told()).toEqual(['One', 'Answer 1', 'Two', 'Answer 2', 'Three'])
    expect(third).toMatchObject({ output_text: 'Answer 3', previous_response_id: second.id })
    // Instructions are those of one call.
    expect(room.upstream.calls.at(-1)?.body).not.toHaveProperty('system')
    await client.responses.create({ model, input: 'Or', previous_response_id: first.id })
    expect(told()).toEqual(['One', 'Answer 1', 'Or'])
  })

  it('may need no input of its own, and refers to items as any', async () => {
    const first = await client.responses.create({ model, input: 'One' })
    await client.responses.create({ model, previous_response_id: first.id })
    expect(told()).toEqual(['One', 'Answer 1'])
    const reference = { type: 'item_reference' as const, id: first.output[0]?.id ?? '' }
    const second = await client.responses.create({
      model,
      input: [{ role: 'user', content: 'Say' }, reference, { role: 'user', content: 'Again' }],
    })
    await client.responses.create({ model, input: 'Go', previous_response_id: second.id })
    expect(told()).toEqual(['Say', 'Answer 1', 'Again', 'Answer 3', 'Go'])
  })

  it('may be answered by OpenAI, which is told what another has said', async () => {
    const first = await client.responses.create({ model, input: 'One' })
    room.upstream.behave((response) =>
      sendJson(response, {
        id: 'resp_1',
        object: 'response',
        status: 'completed',
        output: [],
        usage: { ...usage, total_tokens: 15 },
      }),
    )
    await client.responses.create({
      model: 'gpt-5',
      input: 'Two',
      previous_response_id: first.id,
    })
    const { path, body } = room.upstream.calls.at(-1) ?? {}
    expect(path).toBe('/v1/responses')
    expect(body).not.toHaveProperty('previous_response_id')
    expect(body?.['input']).toMatchObject([
      { role: 'user', content: 'One' },
      { type: 'message', content: [{ text: 'Answer 1' }] },
      { role: 'user', content: 'Two' },
    ])
  })

  it('is left to a provider whose ids look like ours: a gateway of the same kind', async () => {
    const made = `resp_${'2'.repeat(23)}itsOwnId`
    const answer = { id: made, object: 'response', status: 'completed', output: [] }
    room.upstream.behave((response) =>
      sendJson(response, { ...answer, usage: { ...usage, total_tokens: 15 } }),
    )
    const first = await client.responses.create({ model: 'gpt-5', input: 'One' })
    const next = { model: 'gpt-5', input: 'Two', previous_response_id: first.id }
    await client.responses.create(next)
    expect(room.upstream.calls.at(-1)?.body).toEqual(next)
    const stranger = await addCustomer(room.app.root, 'other', 1_000_000)
    await expect(clientOf(stranger).responses.create(next)).rejects.toMatchObject({
      code: 'previous_response_not_found',
    })
  })

  it('is counted with what was said before', async () => {
    const first = await client.responses.create({ model, input: 'One '.repeat(500) })
    const { input_tokens: alone } = await client.responses.inputTokens.count({ model, input: 'Hi' })
    const { input_tokens: whole } = await client.responses.inputTokens.count({
      model,
      input: 'Hi',
      previous_response_id: first.id,
    })
    expect(whole).toBeGreaterThan((alone ?? 0) + 400)
  })

  it('is refused if nobody knows the other, or somebody else', async () => {
    const stranger = await addCustomer(room.app.root, 'stranger', 1_000_000)
    const theirs = await clientOf(stranger).responses.create({ model, input: 'Mine' })
    const unstored = await client.responses.create({ model, input: 'One', store: false })
    const unknown = `resp_${'2'.repeat(23)}abcdefgh`
    const asked = room.upstream.calls.length
    for (const id of [theirs.id, unstored.id, unknown])
      await expect(
        client.responses.create({ model, input: 'Two', previous_response_id: id }),
      ).rejects.toMatchObject({
        status: 400,
        code: 'previous_response_not_found',
        param: 'previous_response_id',
        message: expect.stringContaining('send the conversation in input') as string,
      })
    expect(room.upstream.calls).toHaveLength(asked)
  })

  it('is refused if its input is neither a text nor a list', async () => {
    const first = await client.responses.create({ model, input: 'One' })
    const response = await room.post('/v1/responses', {
      model,
      input: 7,
      previous_response_id: first.id,
    })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: { param: 'input' } })
  })
})
