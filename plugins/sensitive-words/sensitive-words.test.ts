import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  addChannel,
  addCustomer,
  type App,
  type Customer,
  type FakeUpstream,
  fakeUpstream,
  setPrices,
  startApp,
} from '#test'

let app: App
let upstream: FakeUpstream
let customer: Customer

const models = ['m', 'dall-e', 'tts-1']

beforeAll(async () => {
  upstream = await fakeUpstream()
  app = await startApp()
  await addChannel(app.root, { base_url: upstream.url, models: models.join(',') })
  await setPrices(app.root, models, 1)
  customer = await addCustomer(app.root, 'speaker', 1_000_000)
})

beforeEach(() => setOption('SensitiveWords', 'Forbidden Fruit\n\n 禁词 '))

afterAll(async () => {
  await app.close()
  await upstream.close()
})

function setOption(key: string, value: string) {
  return app.root.put('/api/option/', { key, value })
}

function call(path: string, body: object | FormData) {
  const isForm = body instanceof FormData
  return fetch(app.url + path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${customer.key}`,
      ...(isForm ? {} : { 'content-type': 'application/json' }),
    },
    body: isForm ? body : JSON.stringify(body),
  })
}

const chat = (content: unknown, more: object = {}) => ({
  model: 'm',
  messages: [{ role: 'user', content }],
  ...more,
})
const bad = 'an apple is no FORBIDDEN fruit'

function editForm(): FormData {
  const form = new FormData()
  form.set('image', new Blob([new Uint8Array([1])]), 'a.png')
  form.set('model', 'dall-e')
  form.set('prompt', bad)
  return form
}

describe('refusing prompts that hold a listed word', () => {
  it.each<[string, string, object | (() => FormData)]>([
    ['chat text', '/v1/chat/completions', chat(bad)],
    [
      'chat parts, streamed',
      '/v1/chat/completions',
      chat([{ type: 'text', text: bad }], { stream: true }),
    ],
    ['chat in Chinese', '/v1/chat/completions', chat('这是禁词。')],
    ['legacy prompts', '/v1/completions', { model: 'm', prompt: ['fine', bad] }],
    ['embeddings', '/v1/embeddings', { model: 'm', input: [bad] }],
    [
      'responses',
      '/v1/responses',
      { model: 'm', input: [{ role: 'user', content: [{ type: 'input_text', text: bad }] }] },
    ],
    ['responses instructions', '/v1/responses', { model: 'm', input: 'Hi', instructions: bad }],
    ['messages', '/v1/messages', chat([{ type: 'text', text: bad }], { max_tokens: 5 })],
    [
      'messages system',
      '/v1/messages',
      chat('Hi', { max_tokens: 5, system: [{ type: 'text', text: bad }] }),
    ],
    [
      'messages document',
      '/v1/messages',
      chat([{ type: 'document', source: { type: 'text', media_type: 'text/plain', data: bad } }], {
        max_tokens: 5,
      }),
    ],
    ['Gemini', '/v1beta/models/m:generateContent', { contents: [{ parts: [{ text: bad }] }] }],
    ['Gemini embeddings', '/v1beta/models/m:embedContent', { content: { parts: [{ text: bad }] } }],
    ['images', '/v1/images/generations', { model: 'dall-e', prompt: bad }],
    ['image edits by form', '/v1/images/edits', editForm],
    ['speech', '/v1/audio/speech', { model: 'tts-1', input: bad, voice: 'alloy' }],
    [
      'decisions',
      '/v1/decisions',
      { model: 'm', input: 'Hi', questions: [{ type: 'predicate', instructions: bad }] },
    ],
    ['rerank', '/v1/rerank', { model: 'm', query: 'x', documents: [{ text: bad }] }],
  ])('reads %s', async (_what, path, body) => {
    const before = upstream.callCount
    const answer = await call(path, typeof body === 'function' ? body() : body)
    const text = await answer.text()
    expect(answer.status).toBe(400)
    expect(text).not.toMatch(/forbidden|禁词/i)
    expect(text).toMatch(/not allowed here/)
    expect(answer.headers.get('x-should-retry')).toBe('false')
    expect(upstream.callCount).toBe(before)
  })

  it('tells the code, and logs the word', async () => {
    const answer = await call('/v1/chat/completions', chat(bad))
    const { error } = (await answer.json()) as { error: { code: string; type: string } }
    expect(error).toMatchObject({
      code: 'sensitive_words_detected',
      type: 'invalid_request_error',
    })
    await expect.poll(() => app.process.log()).toContain('"word":"forbidden fruit"')
  })

  it('follows a change of the list at once', async () => {
    expect((await call('/v1/chat/completions', chat('pear'))).status).toBe(200)
    await setOption('SensitiveWords', 'pear')
    expect((await call('/v1/chat/completions', chat('pear'))).status).toBe(400)
    expect((await call('/v1/chat/completions', chat(bad))).status).toBe(200)
  })

  it.each(['CheckSensitiveEnabled', 'CheckSensitiveOnPromptEnabled'])(
    'lets everything through while %s is off',
    async (key) => {
      await setOption(key, 'false')
      expect((await call('/v1/chat/completions', chat(bad))).status).toBe(200)
      await setOption(key, 'true')
    },
  )
})
