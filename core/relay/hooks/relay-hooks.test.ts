// Hooks that change calls, through a whole gateway: test/samples/name-mask hides a name from every upstream and shows it in every answer.
import { fileURLToPath } from 'node:url'
import { beforeEach, describe, expect, it } from 'vitest'
import type { ChatDialect, ChatEvent, JsonObject, SeenCall } from '#core'
import { relayRoom, sendJson, writeEvents } from '#test'
import { dialectOf, echo } from '../../../test/harness/upstreams/echo-upstream.ts'
import { codecs } from '../../dialects/index.ts'
import { aggregateAnswer } from '../../dialects/neutral/aggregate-answer.ts'
import { SseSplitter } from '../../wire/sse.ts'

const samples = fileURLToPath(new URL('../../../test/samples', import.meta.url))
const special = [
  'm-ordered',
  'm-request-open',
  'm-request-closed',
  'm-text-open',
  'm-text-closed',
  'm-other-model',
  'm-stolen-key',
  'm-edited',
  'm-instructed',
  'm-refused',
  'gpt-5-codex-text-closed',
]
const models = { 'openai-chat': 'm-chat', 'anthropic-messages': 'm-claude', gemini: 'm-gem' }
const codex = 'gpt-5-codex-m'

const room = relayRoom({
  env: { PLUGIN_DIRS: samples },
  plugins: ['name-mask'],
  channels: [
    { models: ['m-chat', codex, 'plain-m', 'm-embed', 'm-hear', ...special].join() },
    { models: 'm-claude', type: 14 },
    { models: 'm-gem', type: 24 },
  ],
  priced: ['m-chat', codex, 'plain-m', 'm-embed', 'm-hear', 'm-claude', 'm-gem', ...special],
  customer: 'masked',
})

const name = 'Alice "A." Liddell'
const prompt = `Tell ${name} that five [na] is not [name-`

beforeEach(async () => {
  await room.app.root.get('/api/name-mask/seen')
  room.upstream.calls.length = 0
  room.upstream.behave(echo())
})

type Client = { path: string; body: JsonObject }
const tools = [{ type: 'function', function: { name: 'note', parameters: { type: 'object' } } }]

function ask(dialect: ChatDialect, model: string, stream: boolean, text = prompt): Client {
  switch (dialect) {
    case 'openai-chat': {
      const messages = [{ role: 'user', content: text }]
      const usage = stream ? { stream_options: { include_usage: true } } : {}
      return { path: '/v1/chat/completions', body: { model, stream, ...usage, messages, tools } }
    }
    case 'openai-responses': {
      const input = [{ role: 'user', content: [{ type: 'input_text', text }] }]
      return { path: '/v1/responses', body: { model, stream, input } }
    }
    case 'anthropic-messages': {
      const messages = [{ role: 'user', content: [{ type: 'text', text }] }]
      return { path: '/v1/messages', body: { model, stream, max_tokens: 100, messages } }
    }
    case 'gemini': {
      const method = stream ? 'streamGenerateContent?alt=sse' : 'generateContent'
      const contents = [{ role: 'user', parts: [{ text }] }]
      return { path: `/v1beta/models/${model}:${method}`, body: { contents } }
    }
  }
}

function eventsOf(dialect: ChatDialect, stream: boolean, text: string): ChatEvent[] {
  const codec = codecs[dialect]
  if (!stream) return codec.parseAnswer(JSON.parse(text) as JsonObject)
  const parser = codec.streamParser()
  const splitter = new SseSplitter()
  const events = [...splitter.push(Buffer.from(text)), ...splitter.end()]
  const parsed = events.flatMap((event) => (event.data === '[DONE]' ? [] : parser.push(event)))
  return [...parsed, ...parser.end()]
}

async function answered(dialect: ChatDialect, model: string, stream: boolean, text?: string) {
  const { path, body } = ask(dialect, model, stream, text)
  const response = await room.post(path, body)
  const answer = await response.text()
  expect(`${response.status} ${response.status === 200 ? '' : answer}`).toBe('200 ')
  const events = eventsOf(dialect, stream, answer)
  const parts = aggregateAnswer(events).choices[0]?.parts ?? []
  const said = (kind: string) =>
    parts.map((part) => (part.kind === kind && 'text' in part ? part.text : '')).join('')
  const call = parts.find((part) => part.kind === 'tool_call')
  return {
    answer,
    text: said('text'),
    reasoning: said('reasoning'),
    who: call?.kind === 'tool_call' ? JSON.parse(call.arguments) : undefined,
  }
}

const dialects = ['openai-chat', 'openai-responses', 'anthropic-messages', 'gemini'] as const
const upstreams = ['openai-chat', 'openai-responses', 'anthropic-messages', 'gemini'] as const
const modelOf = (upstream: ChatDialect) =>
  upstream === 'openai-responses' ? codex : models[upstream]

describe.each(dialects)('a client of %s', (dialect) => {
  it.each(upstreams.flatMap((upstream) => [false, true].map((stream) => ({ upstream, stream }))))(
    'never tells $upstream the name and reads it in the answer, stream $stream',
    async ({ upstream, stream }) => {
      const seen = await answered(dialect, modelOf(upstream), stream)
      const [call] = room.upstream.calls
      // An OpenAI channel takes chat and Responses calls alike.
      const spoken = call && dialectOf(call)
      const isOpenai = upstream.startsWith('openai') && dialect === 'openai-responses'
      expect(spoken).toBe(isOpenai ? 'openai-responses' : upstream)
      expect(call?.sent).not.toContain('Liddell')
      expect(call?.sent).toContain('[name-1]')
      expect(call?.headers['x-masked']).toMatch(new RegExp(`^${modelOf(upstream)} \\d+$`))
      expect(seen).toMatchObject({ text: prompt, who: { who: prompt } })
      expect([prompt, '']).toContain(seen.reasoning)
      expect(await room.lastRow()).toMatchObject({ prompt_tokens: 40, completion_tokens: 60 })
    },
  )
})

describe('a call that no hook wants', () => {
  it('goes upstream and comes back byte for byte', async () => {
    const body = `{ "model":"plain-m",  "messages":[{"role":"user","content":"Alice"}] }`
    const answer = {
      id: 'a',
      object: 'chat.completion',
      created: 1,
      model: 'x',
      choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
    }
    room.upstream.behave((response) => sendJson(response, answer))
    const response = await room.post('/v1/chat/completions', body)
    expect(await response.text()).toBe(JSON.stringify(answer))
    expect(room.upstream.calls[0]?.sent).toBe(body)
  })
})

describe('an answer in which nothing is changed', () => {
  it('keeps its bytes although a hook looked at it', async () => {
    const answer =
      '{"id":"a", "object":"chat.completion", "created":1, "model":"x", "choices":[{"index":0,"message":{"role":"assistant","content":"Hi"},"finish_reason":"stop"}],  "usage":{"prompt_tokens":1,"completion_tokens":1,"total_tokens":2}}'
    room.upstream.behave((response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(answer)
    })
    const { path, body } = ask('openai-chat', 'm-chat', false)
    expect(await (await room.post(path, body)).text()).toBe(answer)
  })
})

describe('several hooks', () => {
  it.each([false, true])(
    'see the question in their order and the answer in the opposite, stream %s',
    async (stream) => {
      room.upstream.behave(echo({ isPlain: true }))
      const { text } = await answered('openai-chat', 'm-ordered', stream, 'Hi')
      expect(text).toBe('HiabBA')
    },
  )
})

describe('a hook that fails before the call is sent', () => {
  it('is passed over when it is open, without what it had half done', async () => {
    const { text } = await answered('openai-chat', 'm-request-open', false, 'Hi')
    expect(text).toBe('Hi')
  })

  it.each(['m-request-closed', 'm-other-model', 'm-stolen-key'])(
    'refuses the call for nothing when it is closed: %s',
    async (model) => {
      const before = await room.customer.client.get<{ quota: number }>('/api/user/self')
      const { path, body } = ask('openai-chat', model, false)
      const response = await room.post(path, body)
      expect(response.status).toBe(500)
      expect(await response.json()).toMatchObject({ error: { code: 'internal_error' } })
      expect(room.upstream.calls).toEqual([])
      expect(await room.customer.client.get('/api/user/self')).toMatchObject({
        quota: before.quota,
      })
    },
  )

  it('may change other fields of the body', async () => {
    await answered('anthropic-messages', 'm-edited', false, 'Hi')
    expect(room.upstream.calls[0]?.body).toMatchObject({ temperature: 0.25 })
  })
})

describe('instructions of a hook', () => {
  const own = {
    'openai-chat': {
      messages: [
        { role: 'developer', content: 'My own.' },
        { role: 'user', content: 'Hi' },
      ],
    },
    'openai-responses': { instructions: 'My own.' },
    'anthropic-messages': { system: [{ type: 'text', text: 'My own.' }] },
    gemini: { system_instruction: { parts: [{ text: 'My own.' }] } },
  }

  it.each(dialects)('stand in front of those of a client of %s', async (dialect) => {
    const { path, body } = ask(dialect, 'm-instructed', false, 'Hi')
    expect((await room.post(path, { ...body, ...own[dialect] })).status).toBe(200)
    // Of the Responses API the channel has its own form.
    const { instructions, messages } = room.upstream.calls[0]?.body ?? {}
    const asked = Array.isArray(messages) ? messages : [instructions, 'Hi']
    expect(asked).toHaveLength(2)
    expect(JSON.stringify(asked[0])).toMatch(/Be brief\..*My own\./)
  })

  it('stand there too where a client speaks none of these', async () => {
    const body = { model: 'm-instructed', input: 'Hi', system_instruction: 'My own.' }
    expect((await room.post('/v1beta/interactions', body)).status).toBe(200)
    expect(JSON.stringify(room.upstream.calls[0]?.body)).toMatch(/Be brief\..*My own\..*Hi/)
  })

  it('have no place in what is no chat, which the hook is told', async () => {
    const response = await room.post('/v1/embeddings', { model: 'm-instructed', input: 'Hi' })
    expect(response.status).toBe(422)
    expect(room.upstream.calls).toEqual([])
  })
})

const counted = 'one two three four five six'

describe('a hook that fails in the answer', () => {
  it.each([false, true])(
    'is passed over when it is open, and nothing is lost, stream %s',
    async (stream) => {
      room.upstream.behave(echo({ isPlain: true }))
      const { text } = await answered('openai-chat', 'm-text-open', stream, counted)
      expect(text).toBe(counted)
    },
  )

  it('ends a whole answer for nothing when it is closed', async () => {
    const before = await room.customer.client.get<{ quota: number }>('/api/user/self')
    const { path, body } = ask('openai-chat', 'm-text-closed', false, counted)
    expect((await room.post(path, body)).status).toBe(500)
    expect(await room.customer.client.get('/api/user/self')).toMatchObject({ quota: before.quota })
  })

  it.each(dialects)(
    'ends a stream of %s by its error event, and charges what came',
    async (dialect) => {
      room.upstream.behave(echo({ isPlain: true }))
      const { path, body } = ask(dialect, 'm-text-closed', true, counted)
      const response = await room.post(path, body)
      const text = await response.text().catch(() => '')
      expect(text).not.toContain('four')
      expect(text).not.toContain('[DONE]')
      if (dialect !== 'gemini') expect(text).toMatch(/error/)
      const row = await room.lastRow()
      expect(row).toMatchObject({ model_name: 'm-text-closed' })
      expect(JSON.parse(row.other)).toMatchObject({ end: 'hook_failed' })
      expect(row.quota).toBeGreaterThan(0)
    },
  )
})

describe('an answer that no hook would see', () => {
  const guarded = 'gpt-5-codex-text-closed'

  it.each([
    ['is not made in the background for a closed one', guarded, 403],
    ['is made where none wants the call', codex, 200],
  ])('%s', async (_what, model, status) => {
    const answer = await room.post('/v1/responses', { model, input: 'five', background: true })
    expect(answer.status).toBe(status)
    expect(room.upstream.calls).toHaveLength(status === 200 ? 1 : 0)
    if (status === 403)
      expect(await answer.json()).toMatchObject({
        error: { code: 'answer_guarded', param: 'background' },
      })
  })

  it.each([
    ['is not fetched again past a closed one', guarded, 403],
    ['is fetched again where none wants the call', codex, 200],
  ])('%s', async (_what, model, status) => {
    const made = await room.post('/v1/responses', { model, input: 'good' })
    const { id } = (await made.json()) as { id: string }
    const { app, customer, upstream } = room
    upstream.behave((response) => sendJson(response, { id, object: 'response' }))
    const fetched = await fetch(`${app.url}/v1/responses/${id}`, {
      headers: { authorization: `Bearer ${customer.key}` },
    })
    expect(fetched.status).toBe(status)
    await fetched.arrayBuffer()
  })
})

describe('an answer of the Responses API that was changed', () => {
  it.each([false, true])('keeps the id that it is stored under, streamed: %s', async (stream) => {
    const { path, body } = ask('openai-responses', codex, stream)
    const given = await (await room.post(path, body)).text()
    expect(given).toContain(JSON.stringify(name).slice(1, -1))
    const ids = new Set([...given.matchAll(/"id":"(resp_[^"]*)"/g)].map(([, id]) => id))
    expect([...ids]).toEqual(['resp_upstream'])
  })
})

describe('a hook that refuses an answer', () => {
  it('is told with its status where nothing was shown, and the work is charged', async () => {
    const { path, body } = ask('openai-chat', 'm-refused', false, counted)
    const response = await room.post(path, body)
    expect(response.status).toBe(422)
    expect(await response.json()).toMatchObject({ error: { message: /Not this answer/ } })
    const row = await room.lastRow()
    expect(row).toMatchObject({ prompt_tokens: 40, completion_tokens: 60, quota: 100 })
    expect(JSON.parse(row.other)).toMatchObject({ end: 'answer_refused' })
  })

  it('breaks off a stream, and what came is charged', async () => {
    room.upstream.behave(echo({ isPlain: true }))
    const { path, body } = ask('openai-chat', 'm-refused', true, counted)
    const text = await (await room.post(path, body)).text()
    expect(text).toContain('Not this answer')
    expect(text).not.toContain('six')
    expect(JSON.parse((await room.lastRow()).other)).toMatchObject({ end: 'answer_refused' })
  })
})

describe('calls that are no chat', () => {
  it('have their texts changed, in JSON and in forms', async () => {
    room.upstream.behave((response) =>
      sendJson(response, {
        object: 'list',
        data: [{ index: 0, embedding: [1] }],
        usage: { prompt_tokens: 4, total_tokens: 4 },
      }),
    )
    await room.post('/v1/embeddings', { model: 'm-embed', input: ['a', name] })
    expect(room.upstream.calls[0]?.body['input']).toEqual(['a', '[name-1]'])
    room.upstream.behave((response) => sendJson(response, { text: 'So said [name-1].' }))
    const form = new FormData()
    form.set('model', 'm-hear')
    form.set('prompt', `Names: ${name}`)
    form.set('file', new File([new Uint8Array(64)], 'a.wav'))
    const heard = await room.post('/v1/audio/transcriptions', form)
    expect(room.upstream.calls[1]?.sent).toContain('Names: [name-1]')
    expect(await heard.json()).toEqual({ text: `So said ${name}.` })
  })

  it.each([false, true])('have their transcripts changed, stream %s', async (stream) => {
    const pieces = ['So s', 'aid [na', 'me-', '1]', '.'].map((delta) => ({
      type: 'transcript.text.delta',
      delta,
    }))
    const done = { type: 'transcript.text.done', text: 'So said [name-1].' }
    room.upstream.behave((response) => {
      if (stream) writeEvents(response, [...pieces, done])
      else response.writeHead(200, { 'content-type': 'text/plain' }).write(done.text)
      response.end()
    })
    const form = new FormData()
    form.set('model', 'm-hear')
    form.set('prompt', `Names: ${name}`)
    if (stream) form.set('stream', 'true')
    form.set('file', new File([new Uint8Array(64)], 'a.wav'))
    const heard = await (await room.post('/v1/audio/transcriptions', form)).text()
    if (!stream) return expect(heard).toBe(`So said ${name}.`)
    const events = heard
      .split('\n\n')
      .filter(Boolean)
      .map((event) => JSON.parse(event.slice(6)) as { delta?: string; text?: string })
    expect(events.map(({ delta = '' }) => delta).join('')).toBe(`So said ${name}.`)
    expect(events.at(-1)?.text).toBe(`So said ${name}.`)
  })

  it('are hidden in a conversation with tools, too', async () => {
    const call = {
      id: 'c',
      type: 'function',
      function: { name: 'note', arguments: JSON.stringify({ who: name }) },
    }
    await room.post('/v1/chat/completions', {
      model: 'm-chat',
      messages: [
        { role: 'system', content: `For ${name}` },
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: 'c', content: name },
        { role: 'user', content: 'Go on' },
      ],
    })
    const blocks = [
      { type: 'tool_use', id: 't', name: 'note', input: { who: [name] } },
      { type: 'thinking', thinking: name, signature: 's' },
    ]
    await room.post('/v1/messages', {
      model: 'm-claude',
      max_tokens: 9,
      messages: [
        { role: 'user', content: name },
        { role: 'assistant', content: blocks },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: name }] },
      ],
    })
    await room.post('/v1beta/models/m-gem:generateContent', {
      contents: [
        { role: 'user', parts: [{ text: 'Hi' }] },
        { role: 'model', parts: [{ functionCall: { name: 'note', args: { who: name } } }] },
        { role: 'user', parts: [{ functionResponse: { name: 'note', response: { who: name } } }] },
      ],
    })
    expect(room.upstream.calls).toHaveLength(3)
    for (const { sent } of room.upstream.calls) {
      expect(sent).not.toContain('Liddell')
      expect(sent).toContain('[name-1]')
    }
  })
})

describe('an observer', () => {
  const seen = () =>
    room.app.root.get<(SeenCall & { model: string; body: JsonObject })[]>('/api/name-mask/seen')

  it.each([false, true])(
    'is told of question and answer as they were upstream, stream %s',
    async (stream) => {
      room.upstream.behave(echo({ isPlain: true }))
      await answered('anthropic-messages', 'm-chat', stream)
      const [call] = await seen()
      expect(call).toMatchObject({
        status: 200,
        model: 'm-chat',
        isCut: false,
        channelId: expect.any(Number),
        answer: {
          type: 'message',
          content: [{ type: 'text', text: prompt.replace(name, '[name-1]') }],
        },
      })
      expect(JSON.stringify(call?.body)).not.toContain('Liddell')
    },
  )

  it('gets no more of an answer than it asked for', async () => {
    await answered('openai-chat', 'm-chat', true, 'long '.repeat(400))
    expect(await seen()).toMatchObject([{ isCut: true }])
  })

  it('is told of calls that failed', async () => {
    room.upstream.behave((response) => sendJson(response, { error: { message: 'No.' } }, 400))
    const { path, body } = ask('openai-chat', 'm-chat', false)
    await room.post(path, body)
    expect(await seen()).toMatchObject([{ status: 400, error: { message: /No\./ } }])
  })
})
