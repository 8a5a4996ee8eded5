// Google's Interactions API with its own SDK, on upstreams of both kinds.
import { GoogleGenAI, type Interactions } from '@google/genai'
import { beforeAll, describe, expect, it } from 'vitest'
import { addCustomer, type Customer, relayRoom, sendJson } from '#test'

let client: GoogleGenAI
const room = relayRoom({
  channels: [{ models: 'm' }, { models: 'g', type: 24 }],
  priced: ['m', 'g'],
  customer: 'interactor',
})

beforeAll(() => {
  client = clientOf(room.customer)
})

const clientOf = ({ key }: Pick<Customer, 'key'>) =>
  new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: room.app.url } })

const thoughtSignature = 'c2VhbA=='
const usage = { prompt_tokens: 9, completion_tokens: 4, total_tokens: 13 }
const weather = {
  type: 'function' as const,
  name: 'weather',
  description: 'Of a town',
  parameters: { type: 'object', properties: { town: { type: 'string' } } },
}

function says(message: object, finish_reason = 'stop'): void {
  room.upstream.behave((response) =>
    sendJson(response, {
      id: 'c1',
      model: 'm',
      choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason }],
      usage,
    }),
  )
}

function streams(...deltas: object[]): void {
  room.upstream.behave((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const delta of deltas)
      response.write(
        `data: ${JSON.stringify({ id: 'c1', model: 'm', choices: [{ index: 0, delta }] })}\n\n`,
      )
    const last = { id: 'c1', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }
    response.end(
      `data: ${JSON.stringify(last)}\n\ndata: ${JSON.stringify({ id: 'c1', choices: [], usage })}\n\ndata: [DONE]\n\n`,
    )
  })
}

const askedOf = () => room.upstream.calls.at(-1)?.body as Record<string, unknown>

describe('an interaction', () => {
  it('is answered by a model of another family, and costs what a chat costs', async () => {
    says({ content: 'It is sunny.' })
    const interaction = await client.interactions.create({
      model: 'm',
      input: 'How is the weather?',
      system_instruction: 'Be brief.',
      generation_config: { temperature: 0.5, max_output_tokens: 50, stop_sequences: ['END'] },
    })
    expect(interaction).toMatchObject({
      status: 'completed',
      model: 'm',
      output_text: 'It is sunny.',
      steps: [{ type: 'model_output', content: [{ type: 'text', text: 'It is sunny.' }] }],
      usage: { total_input_tokens: 9, total_output_tokens: 4, total_tokens: 13 },
    })
    expect(askedOf()).toMatchObject({
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'How is the weather?' },
      ],
      temperature: 0.5,
      stop: ['END'],
    })
    expect(await room.lastRow()).toMatchObject({ quota: 13, model_name: 'm' })
  })

  it('names on its row what it loses', async () => {
    says({ content: 'Hi.' })
    const config = { temperature: 1, video_config: {} }
    const body = { model: 'm', input: 'Hi', generation_config: config, made_up: 1 }
    expect((await room.post('/v1beta/interactions', body)).status).toBe(200)
    const { other } = await room.lastRow()
    expect(JSON.parse(other)).toMatchObject({
      dropped_params: ['made_up', 'generation_config.video_config'],
    })
  })

  it('goes on from the one before it', async () => {
    says({ content: 'Hello, Ann.' })
    const first = await client.interactions.create({ model: 'm', input: 'I am Ann.' })
    says({ content: 'Ann.' })
    const second = await client.interactions.create({
      model: 'm',
      input: [{ type: 'text', text: 'Who am I?' }],
      previous_interaction_id: first.id,
    })
    expect(askedOf()['messages']).toEqual([
      { role: 'user', content: 'I am Ann.' },
      { role: 'assistant', content: 'Hello, Ann.' },
      { role: 'user', content: 'Who am I?' },
    ])
    await client.interactions.create({
      model: 'm',
      input: 'Sure?',
      previous_interaction_id: second.id,
    })
    expect(askedOf()['messages']).toHaveLength(5)
    expect(second).toMatchObject({ previous_interaction_id: first.id })
  })

  it('does not go on from one of another user, or that was not to be stored', async () => {
    says({ content: 'Hello.' })
    const stranger = await addCustomer(room.app.root, 'stranger', 1_000_000)
    const theirs = clientOf(stranger)
    const ask = { model: 'm', input: 'Hi' }
    const others = await theirs.interactions.create(ask)
    const unstored = await client.interactions.create({ ...ask, store: false })
    for (const { id } of [others, unstored])
      await expect(
        client.interactions.create({ ...ask, previous_interaction_id: id }),
      ).rejects.toThrow(/not known/)
    await theirs.interactions.create({ ...ask, previous_interaction_id: others.id })
  })

  it('is read again, whole or streamed, and deleted by its owner alone', async () => {
    says({ content: 'Hello.' })
    const first = await client.interactions.create({ model: 'm', input: 'Hi' })
    streams({ content: 'Well' })
    const events: Interactions.InteractionSSEEvent[] = []
    const asked = { model: 'm', input: 'Go on', previous_interaction_id: first.id }
    for await (const event of await client.interactions.create({ ...asked, stream: true }))
      events.push(event)
    expect(await client.interactions.get(first.id)).toMatchObject({
      id: first.id,
      status: 'completed',
      steps: first.steps,
    })
    expect(await client.interactions.get(first.id)).not.toHaveProperty('input')
    const second = events.flatMap((event) => ('interaction' in event ? [event.interaction] : []))
    const id = second.at(-1)?.id ?? ''
    expect(await client.interactions.get(id, { include_input: true })).toMatchObject({
      previous_interaction_id: first.id,
      input: [{ type: 'user_input', content: [{ type: 'text', text: 'Go on' }] }],
      steps: [{ type: 'model_output', content: [{ type: 'text', text: 'Well' }] }],
    })
    await expect(client.interactions.cancel(id)).rejects.toMatchObject({ statusCode: 400 })
    const stranger = clientOf(await addCustomer(room.app.root, 'other', 1_000_000))
    await expect(stranger.interactions.get(id)).rejects.toMatchObject({ statusCode: 404 })
    await expect(stranger.interactions.delete(id)).rejects.toMatchObject({ statusCode: 404 })
    await client.interactions.delete(id)
    await expect(client.interactions.get(id)).rejects.toMatchObject({ statusCode: 404 })
  })

  it('has its tools called, and their results read', async () => {
    const call = {
      id: 'c_1',
      type: 'function',
      function: { name: 'weather', arguments: '{"town":"Rome"}' },
    }
    says({ content: null, tool_calls: [call] }, 'tool_calls')
    const first = await client.interactions.create({
      model: 'm',
      input: 'Rome?',
      tools: [weather],
      generation_config: { tool_choice: 'any' },
    })
    expect(first.status).toBe('requires_action')
    expect(first.steps).toEqual([
      { type: 'function_call', id: 'c_1', name: 'weather', arguments: { town: 'Rome' } },
    ])
    expect(askedOf()).toMatchObject({
      tool_choice: 'required',
      tools: [{ type: 'function', function: { name: 'weather', parameters: weather.parameters } }],
    })
    says({ content: 'Sunny.' })
    const result = {
      type: 'function_result' as const,
      call_id: 'c_1',
      result: [{ type: 'text' as const, text: 'sun' }],
    }
    await client.interactions.create({
      model: 'm',
      input: [result],
      tools: [weather],
      previous_interaction_id: first.id,
    })
    expect(askedOf()['messages']).toMatchObject([
      { role: 'user' },
      { role: 'assistant', tool_calls: [{ id: 'c_1' }] },
      { role: 'tool', tool_call_id: 'c_1', content: 'sun' },
    ])
  })

  it('says that a tool failed, with whatever the tool said', async () => {
    says({ content: 'Sorry.' })
    await room.post('/v1beta/interactions', {
      model: 'g',
      input: [
        { type: 'function_call', id: 'c_1', name: 'weather', arguments: {} },
        { type: 'function_result', call_id: 'c_1', result: { reason: 'storm' }, is_error: true },
      ],
    })
    expect(askedOf()['contents']).toContainEqual({
      role: 'user',
      parts: [{ functionResponse: { name: 'weather', response: { error: '{"reason":"storm"}' } } }],
    })
  })

  it('shows pictures as pictures, also without their type', async () => {
    says({ content: 'A dot.' })
    const uri = 'https://example.com/dot'
    await client.interactions.create({
      model: 'm',
      input: [
        { type: 'image', data: '/9j/4AAQ' },
        { type: 'image', uri },
      ],
    })
    expect(askedOf()['messages']).toEqual([
      {
        role: 'user',
        content: [
          { type: 'image_url', image_url: { url: 'data:image/jpeg;base64,/9j/4AAQ' } },
          { type: 'image_url', image_url: { url: uri } },
        ],
      },
    ])
  })

  it('answers in the form that it is asked for', async () => {
    says({ content: '{"a":1}' })
    const schema = { type: 'object', properties: { a: { type: 'number' } } }
    await client.interactions.create({
      model: 'm',
      input: 'One',
      response_format: { type: 'text', mime_type: 'application/json', schema },
    })
    expect(askedOf()['response_format']).toMatchObject({
      type: 'json_schema',
      json_schema: { schema: { properties: { a: { type: 'number' } } } },
    })
  })

  it.each([
    [{ background: true }, 'background'],
    [{ input: 7 }, 'input'],
    [{ input: [] }, 'input'],
    [{ input: [{ type: 'text' }] }, 'input'],
    [{ tools: [{ type: 'computer_use' }] }, 'tools'],
    [{ input: { type: 'image' } }, 'input[0].content[0]'],
    [{ input: [{ type: 'function_result', call_id: 'c', result: [1] }] }, 'input[0].result[0]'],
    [{ model: '' }, 'model'],
    [{ environment: 'remote' }, 'environment'],
  ])('is refused with the field that is wrong: %j', async (more, field) => {
    const body = { model: 'm', input: 'Hi', ...more }
    const answer = await room.post('/v1beta/interactions', body)
    expect(answer.status).toBe(400)
    const { error } = (await answer.json()) as { error: { message: string } }
    expect(error.message).toContain(field)
  })
})

describe('an interaction that streams', () => {
  async function eventsOf(params: object): Promise<Interactions.InteractionSSEEvent[]> {
    const stream = await client.interactions.create({
      model: 'm',
      input: 'Hi',
      stream: true,
      ...params,
    })
    const seen: Interactions.InteractionSSEEvent[] = []
    for await (const event of stream) seen.push(event)
    return seen
  }

  it('tells its steps as they come, thoughts and calls too', async () => {
    streams(
      { reasoning_content: 'Hm.' },
      { content: 'Sun' },
      { content: 'ny.' },
      {
        tool_calls: [
          { index: 0, id: 'c_2', type: 'function', function: { name: 'weather', arguments: '' } },
        ],
      },
      { tool_calls: [{ index: 0, function: { arguments: '{"town":' } }] },
      { tool_calls: [{ index: 0, function: { arguments: '"Rome"}' } }] },
    )
    const events = await eventsOf({ tools: [weather] })
    expect(events.map(({ event_type }) => event_type)).toEqual([
      'interaction.created',
      'step.start',
      'step.delta',
      'step.stop',
      'step.start',
      'step.delta',
      'step.delta',
      'step.stop',
      'step.start',
      'step.delta',
      'step.delta',
      'step.stop',
      'interaction.completed',
    ])
    expect(events.at(-1)).toMatchObject({
      interaction: { usage: { total_input_tokens: 9, total_output_tokens: 4 } },
    })
    const id = (events.at(-1) as Interactions.InteractionCompletedEvent).interaction.id
    says({ content: 'Bye.' })
    await client.interactions.create({
      model: 'm',
      input: [{ type: 'function_result', call_id: 'c_2', result: 'sun' }],
      previous_interaction_id: id,
    })
    expect(askedOf()['messages']).toMatchObject([
      { role: 'user', content: 'Hi' },
      {
        role: 'assistant',
        content: 'Sunny.',
        tool_calls: [{ function: { arguments: '{"town":"Rome"}' } }],
      },
      { role: 'tool', tool_call_id: 'c_2' },
    ])
  })
})

describe('an interaction with Gemini that streams', () => {
  async function errorsIn(...chunks: object[]): Promise<object[]> {
    room.upstream.behave((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join(''))
    })
    const body = { model: 'g', input: 'Hi', stream: true }
    const answer = await room.post('/v1beta/interactions', body)
    const text = await answer.text()
    return [...text.matchAll(/^data: (\{"event_type":"error".*)$/gm)].map(
      ([, data]) => (JSON.parse(data ?? '') as { error: object }).error,
    )
  }

  it('says what failed in the middle of it, and ends', async () => {
    const candidates = [{ content: { role: 'model', parts: [{ text: 'Once' }] } }]
    const error = { code: 503, status: 'UNAVAILABLE', message: 'overloaded' }
    expect(await errorsIn({ candidates }, { error })).toEqual([
      { code: '503', message: expect.stringMatching(/^overloaded/) as string },
    ])
  })

  it('says why a prompt was blocked', async () => {
    expect(await errorsIn({ promptFeedback: { blockReason: 'SAFETY' } })).toEqual([
      { code: 'blocked', message: 'SAFETY' },
    ])
  })
})

describe('an interaction with Gemini', () => {
  it.each([{ store: true }, { stream: true }])(
    'keeps the signature of a picture: %j',
    async (how) => {
      const picture = { inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } }
      const parts = [{ ...picture, thoughtSignature: 'cGlj' }]
      const answer = { candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP' }] }
      room.upstream.behave((response) => {
        if (how.stream) response.writeHead(200, { 'content-type': 'text/event-stream' })
        if (how.stream) response.end(`data: ${JSON.stringify(answer)}\n\n`)
        else sendJson(response, answer)
      })
      const first = await room.post('/v1beta/interactions', { model: 'g', input: 'A cat', ...how })
      const [id = ''] = /int_\w+/.exec(await first.text()) ?? []
      room.upstream.behave((response) => sendJson(response, answer))
      await client.interactions.create({ model: 'g', input: 'Blue', previous_interaction_id: id })
      expect(askedOf()['contents']).toMatchObject([
        { role: 'user' },
        { role: 'model', parts },
        { role: 'user', parts: [{ text: 'Blue' }] },
      ])
    },
  )

  const question = { type: 'user_input' as const, content: [{ type: 'text' as const, text: 'Hi' }] }
  const thought = { type: 'thought' as const, signature: thoughtSignature }
  const said = { type: 'model_output' as const, content: question.content }

  it.each([
    ['an answer ends with', [said, thought], [{ text: 'Hi' }, { text: '', thoughtSignature }]],
    [
      'stands before a search of its own',
      [thought, { type: 'google_search_call' as const, id: 's', arguments: {} }, said],
      [{ text: 'Hi', thoughtSignature }],
    ],
    [
      'stands beside a step without contents',
      [{ type: 'model_output' as const }, thought, said],
      [{ text: 'Hi', thoughtSignature }],
    ],
  ])('keeps the signature that %s', async (_, steps, parts) => {
    says({})
    const input = [question, ...steps, question]
    await room.post('/v1beta/interactions', { model: 'g', input, store: false })
    expect(askedOf()['contents']).toEqual([
      { role: 'user', parts: [{ text: 'Hi' }] },
      { role: 'model', parts },
      { role: 'user', parts: [{ text: 'Hi' }] },
    ])
  })

  it('keeps the signature of a call', async () => {
    const functionCall = { id: 'f1', name: 'weather', args: { town: 'Rome' } }
    room.upstream.behave((response) =>
      sendJson(response, {
        candidates: [
          {
            content: {
              role: 'model',
              parts: [{ functionCall, thoughtSignature: 'c2VhbA==' }],
            },
            finishReason: 'STOP',
          },
        ],
        usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 3, thoughtsTokenCount: 2 },
      }),
    )
    const first = await client.interactions.create({
      model: 'g',
      input: 'Rome?',
      tools: [weather, { type: 'google_search' }],
    })
    expect(first.steps).toEqual([
      { type: 'thought', signature: 'c2VhbA==' },
      { type: 'function_call', id: 'f1', name: 'weather', arguments: { town: 'Rome' } },
    ])
    expect(first.usage).toMatchObject({ total_thought_tokens: 2, total_output_tokens: 3 })
    await client.interactions.create({
      model: 'g',
      input: [
        { type: 'user_input', content: [{ type: 'text', text: 'Rome?' }] },
        ...(first.steps ?? []),
        { type: 'function_result', call_id: 'f1', name: 'weather', result: 'sun' },
      ],
      tools: [weather],
      store: false,
    })
    expect(askedOf()['contents']).toMatchObject([
      { role: 'user', parts: [{ text: 'Rome?' }] },
      {
        role: 'model',
        parts: [{ functionCall: { name: 'weather' }, thoughtSignature: 'c2VhbA==' }],
      },
      {
        role: 'user',
        parts: [{ functionResponse: { name: 'weather', response: { content: 'sun' } } }],
      },
    ])
  })
})
