// Questions about an input (`/v1/decisions`), asked with OpenAI's own SDK.
import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import {
  addChannel,
  addCustomer,
  balanceOf,
  openaiClient,
  relayRoom,
  sendJson,
  setPrice,
} from '#test'

const room = relayRoom({
  channels: [
    { models: 'gpt-6-luna,m', name: 'whole' },
    { models: 'mine', model_mapping: JSON.stringify({ mine: 'gpt-6-luna' }) },
    { models: 'claude', type: 14 },
  ],
  priced: ['m', 'mine', 'claude'],
  customer: 'judge',
  isAnew: true,
})

type Asked = OpenAI.DecisionCreateParams

const questions: Asked['questions'] = [
  { type: 'predicate', name: 'refund', instructions: 'A refund is asked for.' },
  {
    type: 'choice',
    instructions: [{ type: 'input_text', text: 'Whose case is it?' }],
    choices: [{ value: 'billing', description: 'Money' }, { value: true }],
  },
]
const answers = [
  { type: 'predicate', name: 'refund', probability: 0.97 },
  {
    type: 'choice',
    name: null,
    choice: 'billing',
    confidence: 0.9,
    probabilities: [
      { value: 'billing', probability: 0.9 },
      { value: true, probability: 0.1 },
    ],
  },
]
const usage = {
  input_tokens: 1000,
  input_tokens_details: { cached_tokens: 400, cache_write_tokens: 200 },
  output_tokens: 10,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 1010,
}

function decides(shownUsage: unknown = usage, model = 'gpt-6-luna') {
  room.upstream.calls.length = 0
  room.upstream.behave((response) => sendJson(response, { answers, model, usage: shownUsage }))
}

const sdk = () => openaiClient(room.app.url, room.customer.key)
const decide = (more: Partial<Asked> = {}) =>
  sdk().decisions.create({ model: 'm', input: 'I was charged twice.', questions, ...more })

async function refused(body: object): Promise<InstanceType<typeof OpenAI.APIError>> {
  const error: unknown = await sdk()
    .post('/decisions', { body })
    .catch((cause: unknown) => cause)
  if (!(error instanceof OpenAI.APIError)) throw new Error('the call was not refused')
  return error
}

describe('a decision', () => {
  it('is asked as the client wrote it, and answered as the upstream did', async () => {
    decides()
    const decision = await decide({ prompt_cache_key: 'k', safety_identifier: 's' })
    expect(decision).toMatchObject({ answers, model: 'gpt-6-luna', usage })
    expect(room.upstream.calls).toHaveLength(1)
    expect(room.upstream.calls[0]).toMatchObject({
      path: '/v1/decisions',
      headers: { authorization: 'Bearer sk-upstream' },
      body: { model: 'm', questions, prompt_cache_key: 'k', safety_identifier: 's' },
    })
  })

  it('costs what the upstream counts, cached and written tokens at their own prices', async () => {
    decides()
    await decide({ model: 'gpt-6-luna' })
    const row = await room.lastRow()
    expect(row).toMatchObject({ prompt_tokens: 1000, completion_tokens: 10, is_stream: false })
    const { receipt, cache_tokens: cached } = JSON.parse(row.other) as {
      receipt: { lines: { part: string; count: number }[] }
      cache_tokens: number
    }
    expect(cached).toBe(400)
    expect(receipt.lines.map(({ part, count }) => [part, count])).toEqual([
      ['input', 400],
      ['cache_read', 400],
      ['cache_write_5m', 200],
      ['output', 10],
    ])
    expect(await balanceOf(room.customer)).toBe(10_000_000 - row.quota)
  })

  it.each<[usage: unknown]>([
    [null],
    [{ input_tokens: 0, output_tokens: 0 }],
    [{ input_tokens: 1e300, output_tokens: 3 }],
    [{ input_tokens: -7, output_tokens: 3 }],
  ])('costs what we count where the upstream says %j', async (shown) => {
    decides(shown)
    const word = 'word '.repeat(300)
    await decide({ input: word, questions: [{ type: 'predicate', instructions: word }] })
    const row = await room.lastRow()
    expect(Number(row['prompt_tokens'])).toBeGreaterThanOrEqual(600)
    expect(Number(row['prompt_tokens'])).toBeLessThan(650)
    expect(JSON.parse(row.other)).toMatchObject({ estimated: true })
  })

  it('reserves for its input, questions and pictures', async () => {
    decides()
    const picture = { type: 'input_image', image_url: 'data:image/png;base64,AAAA' } as const
    const word = 'word '.repeat(500)
    for (const more of [
      { input: word },
      { questions: [{ type: 'predicate', instructions: word }] },
      { questions: [{ type: 'choice', instructions: '?', choices: [{ value: word }] }] },
      { input: [{ role: 'user', content: [picture] }] },
    ] as Partial<Asked>[]) {
      const poor = await addCustomer(room.app.root, `poor-${Math.random()}`.slice(0, 18), 50)
      const asked = openaiClient(room.app.url, poor.key).decisions.create({
        model: 'm',
        input: 'Hi',
        questions: [{ type: 'predicate', instructions: 'Is it?' }],
        ...more,
      })
      await expect(asked).rejects.toMatchObject({ status: 403, code: 'insufficient_user_quota' })
    }
    expect(room.upstream.calls).toEqual([])
  })

  it('is sent under the name that its channel maps the model to', async () => {
    decides()
    await decide({ model: 'mine' })
    expect(room.upstream.calls[0]?.body).toMatchObject({ model: 'gpt-6-luna', questions })
    const row = await room.lastRow()
    expect(row).toMatchObject({ model_name: 'mine' })
    expect(JSON.parse(row.other)).toMatchObject({ upstream_model_name: 'gpt-6-luna' })
  })

  it('is tried on another channel where one fails', async () => {
    await addChannel(room.app.root, { base_url: room.upstream.url, models: 'twice', key: 'sk-1' })
    await addChannel(room.app.root, { base_url: room.upstream.url, models: 'twice', key: 'sk-2' })
    await setPrice(room.app.root, 'twice', 1)
    await room.app.root.put('/api/option/', { key: 'RetryTimes', value: '1' })
    decides()
    room.upstream.behave((response) => {
      if (room.upstream.calls.length === 1)
        return sendJson(response, { error: { message: 'down' } }, 500)
      return sendJson(response, { answers, model: 'twice', usage })
    })
    expect(await decide({ model: 'twice' })).toMatchObject({ answers })
    expect(room.upstream.calls).toHaveLength(2)
  })

  it('is asked anew each time', async () => {
    decides()
    await decide()
    await decide()
    expect(room.upstream.calls).toHaveLength(2)
  })
})

describe('a decision that cannot be asked', () => {
  it.each<[body: object, param: string]>([
    [{ input: 'Hi', questions }, 'model'],
    [{ model: 'm', questions }, 'input'],
    [{ model: 'm', input: [], questions }, 'input'],
    [{ model: 'm', input: 'Hi' }, 'questions'],
    [{ model: 'm', input: 'Hi', questions: [] }, 'questions'],
    [{ model: 'm', input: 'Hi', questions: 'Is it?' }, 'questions'],
    [{ model: 'm', input: 'Hi', questions, Questions: [] }, 'Questions'],
  ])('is refused by the name of its field: %j', async (body, param) => {
    decides()
    expect(await refused(body)).toMatchObject({ status: 400, param, type: 'invalid_request_error' })
    expect(room.upstream.calls).toEqual([])
  })

  it('needs a key, and a model that the key may use', async () => {
    decides()
    const body = { model: 'm', input: 'Hi', questions }
    const stranger = openaiClient(room.app.url, 'sk-nobody').post('/decisions', { body })
    await expect(stranger).rejects.toMatchObject({ status: 401 })
    const limited = await addCustomer(room.app.root, `few-${Math.random()}`.slice(0, 18), 1000, {
      model_limits_enabled: true,
      model_limits: 'mine',
    })
    const asked = openaiClient(room.app.url, limited.key).post('/decisions', { body })
    await expect(asked).rejects.toMatchObject({ status: 403 })
    expect(room.upstream.calls).toEqual([])
  })

  it('is refused where the channel has no such operation', async () => {
    decides()
    expect((await refused({ model: 'claude', input: 'Hi', questions })).status).toBe(501)
    expect(await balanceOf(room.customer)).toBe(10_000_000)
  })

  it('passes on what the upstream refuses, free of charge', async () => {
    decides()
    const error = {
      message: 'choices must be unique',
      type: 'invalid_request_error',
      param: 'questions[1].choices',
      code: 'invalid_value',
    }
    room.upstream.behave((response) => sendJson(response, { error }, 400))
    expect(await refused({ model: 'm', input: 'Hi', questions })).toMatchObject({
      status: 400,
      param: 'questions[1].choices',
    })
    expect(await balanceOf(room.customer)).toBe(10_000_000)
  })
})
