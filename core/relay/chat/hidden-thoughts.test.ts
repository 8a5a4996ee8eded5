// Thoughts of a model that nobody asked to think: programs of Anthropic's and Gemini's dialects would take them for its words.
import { beforeEach, describe, expect, it } from 'vitest'
import { addCustomer, relayRoom, sendJson, writeEvents } from '#test'

const room = relayRoom({
  channels: [
    { models: 'deepseek-chat', type: 43 },
    // Refuses earlier calls without what was thought before them.
    { models: 'deepseek-flash', type: 43 },
    // Thinks on with them, and does without.
    { models: 'glm-5', type: 26 },
    { models: 'loud', type: 43, setting: JSON.stringify({ thinking_to_content: true }) },
  ],
  priced: ['deepseek-chat', 'deepseek-flash', 'glm-5', 'loud'],
  customer: 'thinker',
})

const thought = 'The user greets me.'
const usage = { prompt_tokens: 5, completion_tokens: 9, total_tokens: 14 }
const call = {
  id: 'call_7',
  type: 'function',
  function: { name: 'look', arguments: '{"at":"sky"}' },
}

/** The upstream thinks, says a word and calls a tool, each if asked for a stream or not. */
beforeEach(() => {
  room.upstream.behave((response, { body }) => {
    const message = {
      role: 'assistant',
      reasoning_content: thought,
      content: 'Hello',
      tool_calls: [call],
    }
    const head = { id: 'c', object: 'chat.completion', created: 1, model: 'deepseek-chat' }
    if (body?.['stream'] !== true) {
      return sendJson(response, {
        ...head,
        choices: [{ index: 0, message, finish_reason: 'tool_calls' }],
        usage,
      })
    }
    const chunk = (delta: object, finish: string | null = null) => ({
      ...head,
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta, finish_reason: finish }],
      ...(finish === null ? {} : { usage }),
    })
    writeEvents(response, [
      ...['The ', 'user ', 'greets ', 'me.'].map((reasoning_content) =>
        chunk({ reasoning_content }),
      ),
      ...['He', 'll', 'o'].map((content) => chunk({ content })),
      chunk({ tool_calls: [{ index: 0, ...call }] }, 'tool_calls'),
      'data: [DONE]\n\n',
    ])
    response.end()
  })
})

const tools = [{ name: 'look', input_schema: { type: 'object', properties: {} } }]
const claude = (more: object = {}, model = 'deepseek-chat') => ({
  model,
  max_tokens: 2000,
  tools,
  messages: [{ role: 'user', content: 'Hi' }],
  ...more,
})
const gemini = (more: object = {}) => ({
  contents: [{ role: 'user', parts: [{ text: 'Hi' }] }],
  tools: [{ functionDeclarations: [{ name: 'look' }] }],
  ...more,
})

async function claudeBlocks(more: object, model?: string): Promise<{ type: string }[]> {
  const response = await room.post('/v1/messages', claude(more, model))
  expect(response.status).toBe(200)
  return ((await response.json()) as { content: { type: string }[] }).content
}

async function textOf(path: string, body: object): Promise<string> {
  const response = await room.post(path, body)
  expect(response.status).toBe(200)
  return response.text()
}

describe('a client of Claude', () => {
  it.each([
    ['that says nothing of thinking', {}],
    ['that switches it off', { thinking: { type: 'disabled' } }],
    ['that names an effort alone', { output_config: { effort: 'low' } }],
    ['that wants them left out', { thinking: { type: 'adaptive', display: 'omitted' } }],
  ])('%s gets no thoughts', async (_name, more) => {
    const blocks = await claudeBlocks(more)
    expect(blocks.map(({ type }) => type)).toEqual(['text', 'tool_use'])
    const stream = await textOf('/v1/messages', claude({ ...more, stream: true }))
    expect(stream).not.toMatch(/thinking|greets/)
    expect(stream).toContain('"index":0,"content_block":{"type":"text"')
  })

  it.each([
    ['a budget', { thinking: { type: 'enabled', budget_tokens: 1024 } }],
    ['what the model deems right', { thinking: { type: 'adaptive' } }],
  ])('that asks for %s gets them', async (_name, more) => {
    expect(await claudeBlocks(more)).toMatchObject([
      { type: 'thinking', thinking: thought },
      {},
      {},
    ])
    expect(await textOf('/v1/messages', claude({ ...more, stream: true }))).toContain('greets ')
  })

  it('sees in the meantime that the model is at work', async () => {
    const chunk = (delta: object, finish: string | null = null) => ({
      id: 'c',
      object: 'chat.completion.chunk',
      created: 1,
      model: 'deepseek-chat',
      choices: [{ index: 0, delta, finish_reason: finish }],
    })
    room.upstream.behave(async (response) => {
      for (const piece of ['I ', 'think ', 'on']) {
        writeEvents(response, [chunk({ reasoning_content: piece })])
        await new Promise((resolve) => setTimeout(resolve, 2600))
      }
      writeEvents(response, [chunk({ content: 'Hello' }), chunk({}, 'stop'), 'data: [DONE]\n\n'])
      response.end()
    })
    const stream = await textOf('/v1/messages', claude({ stream: true }))
    const names = [...stream.matchAll(/^event: (.*)$/gm)].map(([, name]) => name)
    expect(names.slice(0, 3)).toEqual(['message_start', 'ping', 'content_block_start'])
  })

  it('gets those that its channel puts into the text', async () => {
    const [block] = await claudeBlocks({}, 'loud')
    expect(block).toMatchObject({ type: 'text', text: `<think>\n${thought}\n</think>\nHello` })
  })
})

describe('a client of Gemini', () => {
  const path = '/v1beta/models/deepseek-chat'

  it.each([{}, { thinkingConfig: { thinkingBudget: 1024 } }])(
    'gets no thoughts for %j',
    async (config) => {
      const body = gemini({ generationConfig: config })
      const whole = await textOf(`${path}:generateContent`, body)
      expect(whole).not.toMatch(/"thought"|greets/)
      expect(whole).toContain('Hello')
      expect(await textOf(`${path}:streamGenerateContent?alt=sse`, body)).not.toMatch(
        /"thought"|greets/,
      )
    },
  )

  it('gets them with includeThoughts', async () => {
    const body = gemini({ generationConfig: { thinkingConfig: { includeThoughts: true } } })
    expect(await textOf(`${path}:generateContent`, body)).toContain(thought)
    expect(await textOf(`${path}:streamGenerateContent?alt=sse`, body)).toContain('"thought":true')
  })
})

describe('thoughts that a client does not send back', () => {
  const result = { type: 'tool_result', tool_use_id: 'call_7', content: 'blue' }
  const claudeTurns = (turn: object[]) => [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: turn },
    { role: 'user', content: [result] },
  ]
  const openaiTurns = (said: object) => [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: 'Hello', tool_calls: [said] },
    { role: 'tool', tool_call_id: 'call_7', content: 'blue' },
  ]
  const openai = (more: object) => ({
    model: 'deepseek-flash',
    tools: [{ type: 'function', function: { name: 'look' } }],
    messages: [{ role: 'user', content: 'Hi' }],
    ...more,
  })
  const sentThought = () => {
    const messages = room.upstream.calls.at(-1)?.body?.['messages'] as Record<string, unknown>[]
    return messages[1]?.['reasoning_content']
  }

  it('go back to the model from a client of Claude that was not shown them', async () => {
    const turn = await claudeBlocks({})
    await textOf('/v1/messages', claude({ messages: claudeTurns(turn) }))
    expect(sentThought()).toBe(thought)
  })

  it.each(
    ['deepseek-flash', 'glm-5'].flatMap((model) => [
      { model, stream: false },
      { model, stream: true },
    ]),
  )('go back from a client of OpenAI: %j', async ({ model, stream }) => {
    await textOf('/v1/chat/completions', openai({ model, stream }))
    const spaced = { ...call.function, arguments: '{ "at": "sky" }' }
    const messages = openaiTurns({ ...call, function: spaced })
    await textOf('/v1/chat/completions', openai({ model, messages }))
    expect(sentThought()).toBe(thought)
  })

  it.each([
    [undefined, { model: 'glm-5', messages: openaiTurns({ ...call, id: 'unknown' }) }],
    [undefined, { model: 'glm-5', messages: openaiTurns({ ...call, id: 7 }) }],
    [' ', { messages: openaiTurns({ ...call, function: null }) }],
  ])('are %j where none is known', async (expected, body) => {
    await room.post('/v1/chat/completions', openai(body))
    expect(sentThought()).toBe(expected)
  })

  it('are not taken for those before another call with the same id, as some upstreams give anew', async () => {
    await textOf('/v1/chat/completions', openai({}))
    const other = { ...call.function, arguments: '{"at":"sea"}' }
    const messages = openaiTurns({ ...call, function: other })
    await textOf('/v1/chat/completions', openai({ messages }))
    expect(sentThought()).toBe(' ')
  })

  it('do not go to a model for another customer', async () => {
    const turn = await claudeBlocks({})
    const other = await addCustomer(room.app.root, 'stranger', 10_000_000)
    const headers = { authorization: `Bearer ${other.key}` }
    await room.post('/v1/messages', claude({ messages: claudeTurns(turn) }), headers)
    expect(sentThought()).toBeUndefined()
  })

  it('are billed', async () => {
    await claudeBlocks({})
    expect((await room.lastRow()).completion_tokens).toBe(9)
  })
})
