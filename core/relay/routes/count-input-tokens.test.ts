// Counting the tokens of a question for clients of /v1/responses: the upstream's number where it tells one, else our own.
// Source: developers.openai.com, guide "Counting tokens" and the reference of /responses/input_tokens.
import { beforeEach, describe, expect, it } from 'vitest'
import { addChannel, consumptionRows, openaiClient, relayRoom, sendJson } from '#test'

const room = relayRoom({
  channels: [
    { models: 'r' },
    { models: 'chat-only', setting: '{"responses":false}' },
    { models: 'claude-c', type: 14 },
  ],
  priced: ['r', 'chat-only', 'claude-c'],
  customer: 'counter',
})

const path = '/v1/responses/input_tokens'
const question = { model: 'r', instructions: 'Be short.', input: 'one two three' }
const ask = (body: object = question) => room.post(path, body)
const isCount = { object: 'response.input_tokens', input_tokens: 31 }
const isOwn = { object: 'response.input_tokens', input_tokens: expect.any(Number) as number }

beforeEach(() => {
  room.upstream.calls.length = 0
  room.upstream.behave((response) => sendJson(response, isCount))
})

describe('a count of the input of a response', () => {
  it('is the number of the upstream, which gets the question as it is', async () => {
    const answer = await ask()
    expect(await answer.json()).toEqual(isCount)
    expect(answer.headers.get('x-request-id')).toBeTruthy()
    expect(room.upstream.calls).toMatchObject([{ path, body: question }])
  })

  it('is free, and reaches the SDK of OpenAI', async () => {
    const client = openaiClient(room.app.url, room.customer.key)
    expect(await client.responses.inputTokens.count(question)).toMatchObject(isCount)
    expect(await consumptionRows(room.app.root, room.customer.username)).toEqual([])
  })

  it.each([
    ['no path', { error: { message: 'Not Found' } }, 404],
    ['no number', { object: 'response.input_tokens' }, 200],
    ['a fault', { error: { message: 'busy' } }, 500],
  ])('is our own where the upstream has %s', async (_, sent, status) => {
    room.upstream.behave((response) => sendJson(response, sent, status))
    expect(await (await ask()).json()).toEqual(isOwn)
    expect(room.upstream.calls).toHaveLength(1)
  })

  it.each(['claude-c', 'chat-only'])('is our own where no upstream counts: %s', async (model) => {
    const answer = await ask({ ...question, model })
    const { input_tokens: counted } = (await answer.json()) as { input_tokens: number }
    expect(counted).toBeGreaterThan(6)
    expect(counted).toBeLessThan(30)
    expect(room.upstream.calls).toEqual([])
  })

  it('of a stored response is asked of the channel that keeps it', async () => {
    room.upstream.behave((response) => sendJson(response, stored))
    const client = openaiClient(room.app.url, room.customer.key)
    const { id } = await client.responses.create(question)
    await addChannel(room.app.root, {
      base_url: room.upstream.url,
      models: 'r',
      key: 'sk-another',
      priority: 10,
    })
    room.upstream.behave((response) => sendJson(response, isCount))
    const continued = { ...question, previous_response_id: id }
    expect(await (await ask(continued)).json()).toEqual(isCount)
    const [first, second] = room.upstream.calls
    expect(second?.headers['authorization']).toBe(first?.headers['authorization'])
    expect(await (await ask({ model: 'r', previous_response_id: id })).json()).toEqual(isCount)
  })
})

const stored = {
  id: 'resp_kept_1',
  object: 'response',
  status: 'completed',
  model: 'r',
  output: [],
  usage: { input_tokens: 3, output_tokens: 2, total_tokens: 5 },
}

describe('what cannot be counted is refused as OpenAI refuses', () => {
  it.each([
    [{ model: 'none', input: 'Hi' }, 404, 'model'],
    [{ input: 'Hi' }, 400, 'model'],
    [{ model: 'r' }, 400, 'input'],
  ])('%j', async (body, status, param) => {
    const answer = await ask(body)
    expect(answer.status).toBe(status)
    expect(await answer.json()).toMatchObject({ error: { param, type: 'invalid_request_error' } })
    expect(room.upstream.calls).toEqual([])
  })

  it('a call without a key', async () => {
    const answer = await fetch(room.app.url + path, { method: 'POST', body: '{}' })
    expect(answer.status).toBe(401)
    expect(await answer.json()).toMatchObject({ error: { type: 'invalid_request_error' } })
  })
})
