// What routes answer by themselves: shapes, headers and refusals in the words of each client.
import { readFileSync } from 'node:fs'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { relayRoom, sendJson, setPrice } from '#test'

const room = relayRoom({
  env: { MAX_REQUEST_BODY_MB: '1' },
  channels: [{ models: 'm,org/m,gpt-image-1,dall-e-2' }],
  priced: ['m'],
  customer: 'asker',
})

interface Answer {
  status: number
  headers: Headers
  body: Record<string, unknown>
}

async function ask(path: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(room.app.url + path, init)
  const body = (await response.json()) as Answer['body']
  return { status: response.status, headers: response.headers, body }
}

const bearer = () => ({ authorization: `Bearer ${room.customer.key}` })

function post(path: string, body: object, headers: Record<string, string> = {}): Promise<Answer> {
  return ask(path, {
    method: 'POST',
    headers: { ...bearer(), 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
}

const shapes = {
  anthropic: { type: 'error', error: { type: expect.any(String) as string } },
  gemini: { error: { status: expect.any(String) as string } },
  openai: { error: { type: expect.any(String) as string, code: expect.any(String) as string } },
}

describe('the routes of models', () => {
  it.each([
    ['/v1/models', { 'x-api-key': 'no', 'anthropic-version': '2023-06-01' }, 401, 'anthropic'],
    ['/v1/models', { 'x-goog-api-key': 'no' }, 401, 'gemini'],
    ['/v1beta/models', {}, 401, 'gemini'],
    ['/v1/models', {}, 401, 'openai'],
    ['/v1beta/openai/models', { 'x-goog-api-key': 'no' }, 401, 'openai'],
  ] as const)(
    'refuse a wrong key at %s with %j in its dialect',
    async (path, headers, status, shape) => {
      const answer = await ask(path, { headers })
      expect(answer.status).toBe(status)
      expect(answer.body).toMatchObject(shapes[shape])
    },
  )

  it('answer each caller in its own shape, whoever called before', async () => {
    const goog = { 'x-goog-api-key': room.customer.key }
    expect((await ask('/v1/models/none', { headers: goog })).body).toMatchObject(shapes.gemini)
    const answer = await ask('/v1/models/none', { headers: bearer() })
    expect(answer.body).toMatchObject({ error: { code: 'model_not_found', param: 'model' } })
  })

  it('know names with a slash, written either way', async () => {
    await setPrice(room.app.root, 'org/m', 1)
    for (const path of ['/v1/models/org/m', '/v1/models/org%2Fm'])
      expect((await ask(path, { headers: bearer() })).body).toMatchObject({ id: 'org/m' })
  })

  it.each([
    ['/v1/models', 200],
    ['/v1/models/org/m', 200],
    ['/v1/models/none', 404],
    ['/v1beta/openai/models', 200],
  ])('answer HEAD as GET, without the body: %s', async (path, status) => {
    const answer = await fetch(room.app.url + path, { method: 'HEAD', headers: bearer() })
    const got = await fetch(room.app.url + path, { headers: bearer() })
    expect([answer.status, got.status]).toEqual([status, status])
    expect(answer.headers.get('content-type')).toBe(got.headers.get('content-type'))
    expect(await answer.text()).toBe('')
    expect((await fetch(room.app.url + path, { method: 'HEAD' })).status).toBe(401)
  })

  it('list the OpenAI shape at /v1beta/openai, wherever the key stands', async () => {
    const answer = await ask(`/v1beta/openai/models?key=${room.customer.key}`)
    expect(answer.body).toMatchObject({ object: 'list' })
  })
})

describe('every answer', () => {
  it.each([
    ['GET', '/v1/models'],
    ['GET', '/v1/nothing'],
    ['POST', '/v1/nothing'],
    ['POST', '/v1beta/models/m:countTokens'],
    ['POST', '/v1/messages/count_tokens'],
  ])('carries the request id under each name: %s %s', async (method, path) => {
    const body = {
      model: 'm',
      messages: [{ role: 'user', content: 'Hi' }],
      contents: [{ parts: [] }],
    }
    const answer = await ask(path, {
      method,
      headers: { ...bearer(), 'content-type': 'application/json' },
      ...(method === 'POST' ? { body: JSON.stringify(body) } : {}),
    })
    const id = answer.headers.get('x-oneapi-request-id')
    expect(id).toBeTruthy()
    expect(answer.headers.get('x-request-id')).toBe(id)
    expect(answer.headers.get('request-id')).toBe(id)
  })
})

describe('what a key holder reads', () => {
  it.each([
    '/v1/models',
    '/v1beta/models',
    '/v1/dashboard/billing/usage',
    '/v1/responses/resp_none',
  ])('is kept by no cache, whatever header the key came in: %s', async (path) => {
    const { authorization } = bearer()
    for (const name of ['authorization', 'x-api-key']) {
      const answer = await ask(path, { headers: { [name]: authorization } })
      expect(answer.headers.get('cache-control')).toBe('no-store')
    }
  })
})

describe('the order of checks', () => {
  it('tells of an unknown model before it tells of the rest of the request', async () => {
    for (const path of ['/v1/chat/completions', '/v1/messages', '/v1/embeddings'])
      expect((await post(path, { model: 'none' })).status).toBe(404)
    expect((await post('/v1beta/models/none:generateContent', {})).status).toBe(404)
    expect((await post('/v1/chat/completions', { model: 'm' })).status).toBe(400)
  })
})

describe('a path that nothing serves', () => {
  const text = (method: string, path: string) => `Invalid URL (${method} ${path})`

  it.each([
    ['POST', '/v1/messages/batches'],
    ['GET', '/v1/messages'],
  ])('is told below the Messages API as Anthropic does: %s %s', async (method, path) => {
    const { status, body } = await ask(`${path}?beta=true`, { method, headers: bearer() })
    expect(status).toBe(404)
    const error = { type: 'not_found_error', message: text(method, path) }
    expect(body).toMatchObject({ type: 'error', error, request_id: expect.any(String) as string })
  })

  it.each([
    ['POST', '/v1beta/cachedContents'],
    ['GET', '/v1beta/files/x'],
  ])('is told below /v1beta as Google does: %s %s', async (method, path) => {
    const { status, body } = await ask(path, { method, headers: bearer() })
    expect(status).toBe(404)
    expect(body).toEqual({
      error: { code: 404, message: text(method, path), status: 'NOT_FOUND' },
    })
  })

  it.each(['/v1/threads', '/v1beta/openai/files', '/v1betamax'])(
    'is told elsewhere as OpenAI does: %s',
    async (path) => {
      const { status, body } = await ask(path, { method: 'POST', headers: bearer() })
      expect(status).toBe(404)
      const error = { type: 'invalid_request_error', message: text('POST', path), param: '' }
      expect(body).toMatchObject({ error })
    },
  )
})

describe('a path without the version of the API, or with two', () => {
  it.each([
    ['/chat/completions', '/v1/chat/completions'],
    ['/responses/input_tokens', '/v1/responses/input_tokens'],
    ['/messages', '/v1/messages'],
    ['/models/m:generateContent', '/v1beta/models/m:generateContent'],
    ['/v1/v1/messages', '/v1/messages'],
    ['/v1//chat/completions', '/v1/chat/completions'],
    ['/v1/v1beta/models/m:generateContent', '/v1beta/models/m:generateContent'],
    ['/v1beta/v1beta/models/m:generateContent', '/v1beta/models/m:generateContent'],
  ])('is told with the one that was meant: %s', async (path, meant) => {
    const { status, body } = await ask(path, { method: 'POST', headers: bearer() })
    expect(status).toBe(404)
    const words = `Invalid URL (POST ${path}). Is ${meant} meant? Then the client's base URL is wrong.`
    expect(body).toMatchObject({ error: { message: words } })
  })

  it('is told so for a list of models, too, which a browser does not ask for', async () => {
    const { status, body } = await ask('/models', { headers: bearer() })
    expect(status).toBe(404)
    const message = expect.stringContaining('Is /v1/models meant?') as string
    expect(body).toMatchObject({ error: { message } })
    const page = await fetch(`${room.app.url}/models`, { headers: { accept: 'text/html' } })
    expect(page.headers.get('content-type')).toContain('text/html')
  })
})

describe('a file that is not there', () => {
  it.each(['/favicon.ico', '/old/chunk-1a2b.js', '/.well-known/openid-configuration'])(
    'is not answered with the page of the console: %s',
    async (path) => {
      const { status, body } = await ask(path)
      expect(status).toBe(404)
      expect(body).toMatchObject({ error: { message: `Invalid URL (GET ${path})` } })
    },
  )

  it.each([
    ['/old.address', 'text/html,*/*;q=0.8'],
    ['/index.html', '*/*'],
  ])('is the page for whoever reads pages: %s', async (path, accept) => {
    const page = await fetch(room.app.url + path, { headers: { accept } })
    expect(page.status).toBe(200)
    expect(page.headers.get('content-type')).toContain('text/html')
  })
})

describe('a list of models for clients of Anthropic', () => {
  it('names the ends of each page, and whether there is more', async () => {
    const headers = { 'x-api-key': room.customer.key, 'anthropic-version': '2023-06-01' }
    const page = async (query: string) => {
      const { body } = await ask(`/v1/models?${query}`, { headers })
      const { data, ...ends } = body as { data: { id: string }[]; first_id: string | null }
      return { ids: data.map(({ id }) => id), ...ends }
    }
    const { ids } = await page('')
    const [first, second, last] = [ids[0], ids[1], ids.at(-1)]
    expect(ids.length).toBeGreaterThan(2)
    const one = { ids: [first], first_id: first, last_id: first }
    expect(await page('limit=1')).toEqual({ ...one, has_more: true })
    expect(await page(`limit=1&before_id=${second}`)).toEqual({ ...one, has_more: false })
    const rest = { ids: ids.slice(1), first_id: second, last_id: last, has_more: false }
    expect(await page(`after_id=${first}`)).toEqual(rest)
    const none = { ids: [], first_id: null, last_id: null, has_more: false }
    expect(await page(`after_id=${last}`)).toEqual(none)
  })

  it('has every field of Anthropic, without which SDKs of typed languages refuse a model', async () => {
    const recording = new URL(
      '../../../test/fixtures/dialects/anthropic-messages.models.json',
      import.meta.url,
    )
    const theirs = (JSON.parse(readFileSync(recording, 'utf8')) as { data: object[] }).data[0] ?? {}
    const headers = { 'x-api-key': room.customer.key, 'anthropic-version': '2023-06-01' }
    const listed = ((await ask('/v1/models', { headers })).body as { data: { id: string }[] })
      .data[0]
    const { body } = await ask(`/v1/models/${listed?.id}`, { headers })
    expect(body).toEqual(listed)
    expect(Object.keys(body as object).sort()).toEqual(Object.keys(theirs).sort())
    expect(body).toMatchObject({ lifecycle: 'active', deprecated_at: null, max_tokens: null })
  })
})

describe('what several providers name alike and none serves here', () => {
  const google = () => ({ 'x-goog-api-key': room.customer.key })
  const claude = () => ({ 'x-api-key': room.customer.key, 'anthropic-version': '2023-06-01' })

  it.each([
    ['/v1/files', google, 501, 'gemini'],
    ['/v1/files', claude, 501, 'anthropic'],
    ['/v1/files', bearer, 501, 'openai'],
    ['/v1/batches/b', google, 501, 'gemini'],
    ['/v1/cachedContents', google, 404, 'gemini'],
    ['/v1/skills', claude, 404, 'anthropic'],
  ] as const)(
    'takes the key of its caller and speaks as he does: %s',
    async (path, key, status, shape) => {
      const answer = await ask(path, { headers: key() })
      expect(answer.status).toBe(status)
      expect(answer.body).toMatchObject(shapes[shape])
    },
  )
})

describe('a path that cannot be decoded', () => {
  it.each(['%25zz', '%zz'])('is the fault of the caller: %s', async (name) => {
    const answer = await post(`/v1/models/${name}:generateContent`, { contents: [{ parts: [] }] })
    expect([400, 404]).toContain(answer.status)
    expect(answer.body).toMatchObject({ error: { message: expect.any(String) as string } })
  })
})

describe('a packed body', () => {
  const send = (bytes: Buffer, encoding: string) =>
    ask('/v1/chat/completions', {
      method: 'POST',
      headers: { ...bearer(), 'content-encoding': encoding },
      body: new Uint8Array(bytes),
    })

  it.each(['br', 'gzip', 'deflate'])(
    'that is broken is the fault of the caller: %s',
    async (encoding) => {
      expect(await send(Buffer.from('this is no archive'), encoding)).toMatchObject({
        status: 400,
        body: { error: { code: 'invalid_request' } },
      })
    },
  )

  it('that unpacks to too much is refused', async () => {
    expect((await send(gzipSync(Buffer.alloc(20_000_000)), 'gzip')).status).toBe(413)
    expect((await send(brotliCompressSync(Buffer.alloc(20_000_000)), 'br')).status).toBe(413)
  })
})

describe('a request that asks for the impossible', () => {
  it('names the size of the search context', async () => {
    const body = { model: 'm', messages: [{ role: 'user', content: 'Hi' }] }
    const answer = await post('/v1/chat/completions', {
      ...body,
      web_search_options: { search_context_size: 'huge' },
    })
    expect(answer).toMatchObject({ status: 400, body: { error: { param: 'web_search_options' } } })
  })

  it.each([
    [{ prompt: '' }, 'prompt'],
    [{ prompt: 'a cat', size: '1024×1024' }, 'size'],
    [{ prompt: 'a cat', size: '1x1', model: 'dall-e-2' }, 'size'],
  ])('names the field of a form: %j', async (fields, param) => {
    const form = new FormData()
    for (const [name, value] of Object.entries({ model: 'gpt-image-1', ...fields }))
      form.set(name, value)
    form.append('image[]', new Blob(['x'], { type: 'image/png' }), 'a.png')
    const answer = await ask('/v1/images/edits', { method: 'POST', headers: bearer(), body: form })
    expect(answer).toMatchObject({ status: 400, body: { error: { param } } })
  })
})

describe('pictures', () => {
  it('are edited by the model of OpenAI that needs no name, which its first SDKs cannot say', async () => {
    await setPrice(room.app.root, 'dall-e-2', 1)
    room.upstream.behave((response) => sendJson(response, { created: 1, data: [{ url: 'a' }] }))
    const form = new FormData()
    form.set('prompt', 'a cat')
    form.set('image', new Blob(['x'], { type: 'image/png' }), 'a.png')
    const answer = await ask('/v1/images/edits', { method: 'POST', headers: bearer(), body: form })
    expect(answer.status).toBe(200)
    expect(room.upstream.calls.at(-1)?.sent).toMatch(/name="model"\s+dall-e-2\s/)
  })

  it('that never came are not charged', async () => {
    room.upstream.behave((response) => sendJson(response, { created: 1, data: [] }))
    const before = await room.customer.client.get<{ quota: number }>('/api/user/self')
    const answer = await post('/v1/images/generations', { model: 'gpt-image-1', prompt: 'a cat' })
    expect(answer.status).toBe(502)
    expect(await room.customer.client.get('/api/user/self')).toMatchObject({ quota: before.quota })
  })
})

describe('reranked documents', () => {
  const results = [{ index: 0, relevance_score: 0.9, document: { text: 'a' } }]

  it.each([
    [undefined, { index: 0, relevance_score: 0.9 }],
    [true, results[0]],
  ])('are told only where they were asked for: %s', async (return_documents, expected) => {
    room.upstream.behave((response) => sendJson(response, { results }))
    const { body } = await post('/v1/rerank', {
      model: 'm',
      query: 'q',
      documents: ['a', 'b'],
      return_documents,
    })
    expect(body['results']).toEqual([expected])
  })
})

it('reads a body that begins with a byte order mark, and sends it on without', async () => {
  const choices = [{ index: 0, message: { role: 'assistant', content: 'Hi' } }]
  room.upstream.behave((response) => sendJson(response, { choices }))
  const padding = 'x'.repeat(200_000)
  for (const content of ['Hi', padding]) {
    const text = JSON.stringify({ model: 'm', messages: [{ role: 'user', content }] })
    const headers = { ...bearer(), 'content-type': 'application/json' }
    const init = { method: 'POST', headers, body: `\uFEFF${text}` }
    expect((await ask('/v1/chat/completions', init)).status).toBe(200)
    // The upstream's own reader would pass over the mark.
    expect(room.upstream.calls.at(-1)).toMatchObject({
      sent: text,
      headers: { 'content-length': String(text.length) },
    })
  }
})

describe('a page of another site', () => {
  const origin = 'https://elsewhere.example'
  const chat = { model: 'm', messages: [{ role: 'user', content: 'Hi' }] }

  it('may read the wait before a retry and the request id of a refusal', async () => {
    room.upstream.behave((response) => {
      response.setHeader('retry-after', '7')
      sendJson(response, { error: { message: 'slow down' } }, 429)
    })
    const { status, headers } = await post('/v1/chat/completions', chat, { origin })
    expect(status).toBe(429)
    expect(headers.get('retry-after')).toBe('7')
    expect(headers.get('access-control-expose-headers')).toBe('*')
  })

  it('may read them of a stream', async () => {
    room.upstream.behave((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end('data: {"choices":[{"index":0,"delta":{"content":"Hi"}}]}\n\ndata: [DONE]\n\n')
    })
    const answer = await fetch(room.app.url + '/v1/chat/completions', {
      method: 'POST',
      headers: { ...bearer(), 'content-type': 'application/json', origin },
      body: JSON.stringify({ ...chat, stream: true }),
    })
    await answer.text()
    expect(answer.headers.get('x-request-id')).toBeTruthy()
    expect(answer.headers.get('access-control-expose-headers')).toBe('*')
  })
})
