// Words that every object of the language knows, and bytes that no name has, where a client chooses the text.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  addChannel,
  addCustomer,
  type App,
  type Customer,
  scriptedUpstream,
  type ScriptedUpstream,
  sendJson,
  setPrices,
  startApp,
} from '#test'

const words = ['__proto__', 'constructor', 'toString', 'hasOwnProperty']

let app: App
let upstream: ScriptedUpstream
let customer: Customer

beforeAll(async () => {
  upstream = await scriptedUpstream()
  app = await startApp({ isWithin: true })
  const base_url = upstream.url
  const own = words.join(',')
  await addChannel(app.root, { base_url, models: `m,gpt-5,${own}` })
  await addChannel(app.root, { base_url, models: `claude-m,${own}`, type: 14 })
  await addChannel(app.root, { base_url, models: `gemini-m,${own}`, type: 24 })
  await setPrices(app.root, ['m', 'gpt-5', 'claude-m', 'gemini-m'], 1)
  await app.root.put('/api/option/', { key: 'SelfUseModeEnabled', value: 'true' })
  customer = await addCustomer(app.root, 'trickster', 1_000_000_000)
  upstream.behave((response, { path }) => {
    if (path.includes('messages')) return sendJson(response, claude)
    if (path.includes('Content')) return sendJson(response, gemini)
    if (path.includes('images')) return sendJson(response, { created: 1, data: [{ url: 'u' }] })
    return sendJson(response, path.includes('responses') ? responses : chat)
  })
})

afterAll(async () => {
  await app.close()
  await upstream.close()
})

const chat = { choices: [{ index: 0, message: { content: 'Hello' }, finish_reason: 'stop' }] }
const claude = {
  type: 'message',
  role: 'assistant',
  content: [{ type: 'text', text: 'Hello' }],
  stop_reason: 'end_turn',
  usage: { input_tokens: 1, output_tokens: 1 },
}
const gemini = {
  candidates: [{ content: { parts: [{ text: 'Hello' }] }, finishReason: 'STOP' }],
  usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1 },
}
const responses = {
  id: 'resp_1',
  status: 'completed',
  output: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hi' }] }],
  usage: { input_tokens: 1, output_tokens: 1 },
}

function post(path: string, body: string, type = 'application/json'): Promise<Response> {
  return fetch(app.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${customer.key}`, 'content-type': type },
    body,
  })
}

const user = { role: 'user', content: 'Hi' }
const models = ['m', 'gpt-5', 'claude-m', 'gemini-m']

/** Bodies with the word wherever a client chooses one, by route. */
function bodiesWith(word: string): [path: string, body: object][] {
  const tool = { type: 'function', function: { name: word, parameters: { type: word } } }
  const format = { type: 'json_schema', json_schema: { name: word, schema: { type: word } } }
  const media = { type: 'image_url', image_url: { url: `data:${word};base64,YQ==`, detail: word } }
  const sound = { type: 'input_audio', input_audio: { data: 'YQ==', format: word } }
  return models.flatMap((model): [string, object][] => [
    ...[
      { messages: [{ role: word, content: 'Hi' }] },
      { messages: [{ role: 'user', content: [{ type: word, text: 'Hi' }] }] },
      { messages: [{ role: 'user', content: [media] }] },
      { messages: [{ role: 'user', content: [sound] }] },
      { messages: [user], tool_choice: word, tools: [tool] },
      { messages: [user], tools: [{ type: word }] },
      { messages: [user], reasoning_effort: word, service_tier: word, modalities: [word] },
      { messages: [user], response_format: format },
      { messages: [user], response_format: { type: word } },
      { messages: [user], functions: [{ name: word }], function_call: { name: word } },
    ].map((body): [string, object] => ['/v1/chat/completions', { model, ...body }]),
    ...[
      { input: [{ type: word }] },
      { input: [{ role: word, content: [{ type: word }] }] },
      { input: 'Hi', tools: [{ type: word, name: word }], tool_choice: { type: word } },
      { input: 'Hi', text: { format: { type: word } }, reasoning: { effort: word } },
    ].map((body): [string, object] => ['/v1/responses', { model, ...body }]),
    ...[
      { messages: [{ role: word, content: 'Hi' }] },
      { messages: [{ role: 'user', content: [{ type: word }] }] },
      { messages: [user], tools: [{ type: word, name: word }], tool_choice: { type: word } },
      { messages: [user], thinking: { type: word } },
    ].map((body): [string, object] => ['/v1/messages', { model, max_tokens: 9, ...body }]),
    ...[
      { contents: [{ role: word, parts: [{ text: 'Hi' }] }] },
      { contents: [{ role: 'user', parts: [{ [word]: 'Hi' }] }] },
      { contents: [{ parts: [{ inlineData: { mimeType: word, data: 'YQ==' } }] }] },
      { contents: [{ parts: [{ text: 'Hi' }] }], tools: [{ [word]: {} }] },
      {
        contents: [{ parts: [{ text: 'Hi' }] }],
        toolConfig: { functionCallingConfig: { mode: word } },
      },
    ].map((body): [string, object] => [`/v1beta/models/${model}:generateContent`, body]),
    ['/v1/images/generations', { model, prompt: 'a', size: word, quality: word }],
    ['/v1/audio/speech', { model, input: 'a', voice: word, response_format: word }],
    ['/v1/embeddings', { model, input: 'a', encoding_format: word }],
  ])
}

describe('a model that is named as members of objects are', () => {
  it.each(words)('has the settings of all others: %s', async (word) => {
    upstream.calls.length = 0
    const name = `claude-${word}`
    const models = `${word},${name}`
    await addChannel(app.root, { base_url: upstream.url, models, type: 14, group: 'vip' })
    await app.root.put('/api/user/', { id: customer.id, group: 'vip' })
    await post('/v1/messages', JSON.stringify({ model: word, messages: [user] }))
    await app.root.put('/api/user/', { id: customer.id, group: 'default' })
    expect(upstream.calls[0]?.body).toMatchObject({ model: word, max_tokens: 8192 })
  })
})

describe('a NUL', () => {
  it.each([
    ['/v1/chat/completions', '{"model":"a\\u0000b","messages":[{"role":"user","content":"Hi"}]}'],
    [
      '/v1/chat/completions',
      '{"models":["m","\\u0000"],"messages":[{"role":"user","content":"Hi"}]}',
    ],
    ['/v1/responses', '{"model":"m","input":"Hi","previous_response_id":"resp_\\u0000"}'],
    ['/v1beta/models/gemini-m%00:generateContent', '{"contents":[{"parts":[{"text":"Hi"}]}]}'],
    ['/v1/responses/resp_%00/cancel', '{}'],
    ['/v1/engines/m%00/embeddings', '{"input":"Hi"}'],
    ['/suno/fetch', '{"ids":["a\\u0000"]}'],
    ['/mj/task/list-by-condition', '{"ids":["a\\u0000"]}'],
    ['/mj/submit/action', '{"taskId":"a\\u0000","customId":"b"}'],
  ])('is refused in a name: POST %s %s', async (path, body) => {
    const response = await post(path, body)
    expect(response.status).toBe(400)
    // Midjourney's clients know words of their own.
    expect(await response.text()).toMatch(/NUL|bind_request_body_failed/)
  })

  it.each(['/v1/responses/resp_%00', '/suno/fetch/a%00', '/mj/task/a%00/fetch', '/v1/models/a%00'])(
    'is refused in an address: GET %s',
    async (path) => {
      const headers = { authorization: `Bearer ${customer.key}` }
      expect((await fetch(app.url + path, { headers })).status).toBe(400)
    },
  )

  it('is fine in what a model reads', async () => {
    const body =
      '{"model":"m","messages":[{"role":"tool","tool_call_id":"1","content":"a\\u0000b"}]}'
    expect((await post('/v1/chat/completions', body)).status).toBe(200)
    expect((await post('/v1/responses', '{"model":"gpt-5","input":"\\u0000"}')).status).toBe(200)
  })
})

describe('a content type that is none', () => {
  it.each(['foo', 'application', '/', 'a b/c', 'multipart/form-data'])(
    'is told in the dialect of the route: %s',
    async (type) => {
      for (const path of ['/v1/chat/completions', '/v1/audio/transcriptions', '/v1/messages']) {
        const response = await post(path, '{"model":"m"}', type)
        expect([400, 415]).toContain(response.status)
        expect(await response.json()).toHaveProperty('error.message')
      }
      const gemini = await post('/v1beta/models/gemini-m:generateContent', '{}', type)
      expect([400, 415]).toContain(gemini.status)
      expect(await gemini.json()).toHaveProperty('error.status', 'INVALID_ARGUMENT')
    },
  )
})

describe.each(words)('the word %s', (word) => {
  it('is text like any other wherever a client chooses one', async () => {
    for (const [path, body] of bodiesWith(word)) {
      const response = await post(path, JSON.stringify(body))
      const text = await response.text()

      expect(
        `${path} ${JSON.stringify(body)} ${response.status} ${text.slice(0, 120)}`,
      ).not.toMatch(/ 500 /)
    }
  })

  it.each([
    ['/v1/chat/completions', { messages: [user] }],
    ['/v1/messages', { messages: [user] }],
    ['/v1/responses', { input: 'Hi' }],
    ['/v1/images/generations', { prompt: 'a' }],
  ])('is the name of a model like any other: POST %s', async (path, body) => {
    for (let turn = 0; turn < 6; turn += 1) {
      const response = await post(path, JSON.stringify({ model: word, ...body }))
      await response.text()
      expect(response.status).not.toBe(500)
    }
  })
})
