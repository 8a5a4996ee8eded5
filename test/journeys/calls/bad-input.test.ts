// Malformed, hostile and huge input: the right status, a sentence that names the field, nothing charged.
import { request } from 'node:http'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  addChannel,
  addCustomer,
  type App,
  type Customer,
  fakeUpstream,
  type FakeUpstream,
  setPrice,
  startApp,
} from '#test'

const model = 'bad-input-model'
const megabyte = 1024 * 1024

let app: App
let upstream: FakeUpstream
let customer: Customer

beforeAll(async () => {
  upstream = await fakeUpstream()
  app = await startApp({ env: { MAX_REQUEST_BODY_MB: '16' } })
  await setPrice(app.root, model, 1)
  await addChannel(app.root, { base_url: upstream.url, models: model })
  customer = await addCustomer(app.root, 'careless', 1_000_000)
})

afterAll(async () => {
  await app.close()
  await upstream.close()
})

interface RawAnswer {
  status: number
  body: Record<string, unknown>
}

/** Sends bytes as they are; tolerates a server that answers before it has read everything. */
function send(
  path: string,
  body: string | Buffer,
  headers: Record<string, string>,
  method = 'POST',
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const call = request(app.url + path, {
      method,
      headers: { 'content-length': String(Buffer.byteLength(body)), ...headers },
    })
    call.on('response', (response) => {
      let text = ''
      response.on('data', (chunk: Buffer) => (text += chunk.toString()))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: parse(text) }))
    })
    call.on('error', reject)
    call.end(body)
  })
}

function parse(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    throw new Error(`the answer is no JSON: ${text.slice(0, 200)}`)
  }
}

const json = { 'content-type': 'application/json' }
const asRoot = () => ({
  ...json,
  cookie: app.root.sessionCookie,
  'New-API-User': String(app.root.userId),
})
const asClient = () => ({ ...json, authorization: `Bearer ${customer.key}` })
const chatBody = (more: object = {}) =>
  JSON.stringify({ model, messages: [{ role: 'user', content: 'Hi' }], ...more })

describe('console API: bad bodies', () => {
  it.each<{ what: string; method?: string; path: string; body: unknown; names: string }>([
    {
      what: 'a channel without a name',
      path: '/api/channel/',
      body: { type: 1, key: 'k', models: 'm' },
      names: 'name',
    },
    {
      what: 'a channel with a numeric name',
      path: '/api/channel/',
      body: { type: 1, name: 5, key: 'k', models: 'm' },
      names: 'name',
    },
    {
      what: 'a channel of no known type',
      path: '/api/channel/',
      body: { type: 987, name: 'n', key: 'k', models: 'm' },
      names: 'type',
    },
    {
      what: 'a mapping that is no JSON',
      path: '/api/channel/',
      body: { type: 1, name: 'n', key: 'k', models: 'm', model_mapping: '{' },
      names: 'model_mapping',
    },
    {
      what: 'a channel name with a NUL',
      path: '/api/channel/',
      body: { type: 1, name: 'a\u0000b', key: 'k', models: 'm' },
      names: 'name',
    },
    {
      what: 'an option with a NUL',
      method: 'PUT',
      path: '/api/option/',
      body: { key: 'Notice', value: '\u0000' },
      names: 'value',
    },
    { what: 'ids that are text', path: '/api/channel/batch', body: { ids: '5' }, names: 'ids' },
    { what: 'ids that hold text', path: '/api/channel/batch', body: { ids: ['5'] }, names: 'ids' },
    {
      what: 'a token with a negative quota',
      path: '/api/token/',
      body: { name: 't', remain_quota: -1 },
      names: 'remain_quota',
    },
    {
      what: 'a token with a broken address list',
      path: '/api/token/',
      body: { name: 't', allow_ips: 'not an address' },
      names: 'allow_ips',
    },
    {
      what: 'a token name of 31 characters',
      path: '/api/token/',
      body: { name: 'x'.repeat(31) },
      names: 'name',
    },
    {
      what: 'a plugin switch that is text',
      method: 'PUT',
      path: '/api/plugin/',
      body: { id: 'logs', enabled: 'false' },
      names: 'enabled',
    },
    {
      what: 'a user with a short password',
      path: '/api/user/',
      body: { username: 'u', password: 'short' },
      names: 'password',
    },
    { what: 'a list instead of an object', path: '/api/token/', body: [], names: '' },
    { what: 'null instead of an object', path: '/api/token/', body: null, names: '' },
  ])('refuses $what and names the field', async ({ method = 'POST', path, body, names }) => {
    const answer = await send(path, JSON.stringify(body), asRoot(), method)
    expect(answer.status).toBe(200)
    expect(answer.body['success']).toBe(false)
    expect(String(answer.body['message'])).toContain(names)
    expect(String(answer.body['message']).length).toBeGreaterThan(3)
  })

  it('ignores unknown keys, and dangerous ones do nothing', async () => {
    const body =
      '{"name":"odd","unknown":1,"user_id":99,"status":4,"__proto__":{"admin":true},"constructor":{}}'
    const answer = await send('/api/token/', body, asRoot())
    expect(answer.body).toMatchObject({
      success: true,
      data: { user_id: app.root.userId, status: 1 },
    })
  })

  it('answers malformed JSON with a sentence: 200, and 400 on the options', async () => {
    const broken = await send('/api/token/', '{"name":', asRoot())
    expect(broken).toMatchObject({ status: 200, body: { success: false } })
    const option = await send('/api/option/', '{"key":', asRoot(), 'PUT')
    expect(option).toMatchObject({ status: 400, body: { success: false } })
  })

  it('refuses JSON that is nested without end', async () => {
    const deep = `{"name":${'['.repeat(50_000)}${']'.repeat(50_000)}}`
    expect(await send('/api/token/', deep, asRoot())).toMatchObject({
      status: 200,
      body: { success: false },
    })
  })

  it.each(['/api/nothing', '/api/channel/1/2/3/4', '/api/setup/again'])(
    'answers %s by GET with 404 and an envelope',
    async (path) => {
      const answer = await app.root.call('GET', path)
      expect(answer.status).toBe(404)
      expect(answer.body['success']).toBe(false)
    },
  )

  it('answers 401 to nobody and keeps customers from what is for admins', async () => {
    expect((await send('/api/channel/', '{}', json)).status).toBe(401)
    const refused = await customer.client.call('GET', '/api/channel/')
    expect(refused).toMatchObject({ status: 200, success: false })
  })
})

describe('console API: hostile text', () => {
  const texts = [
    "'; DROP TABLE users; --",
    '%_\\',
    '\u0000',
    '\ud800',
    '<script>alert(1)</script>',
    '../../../etc/passwd',
    '\u202Etxt.exe',
    'x'.repeat(20_000),
  ]

  it.each(texts.map((text) => ({ text, shown: JSON.stringify(text).slice(0, 30) })))(
    'searching for $shown is only a search',
    async ({ text }) => {
      const query = encodeURIComponent(text.toWellFormed().slice(0, 2_000))
      for (const path of [
        '/api/channel/search?keyword=',
        '/api/user/search?keyword=',
        '/api/token/search?keyword=',
        '/api/log/?username=',
        '/api/log/?model_name=',
      ]) {
        const answer = await app.root.call('GET', path + query)
        expect(answer.status).toBeLessThan(500)
        expect(typeof answer.body['success']).toBe('boolean')
      }
    },
  )

  it.each(texts.map((text) => ({ text, shown: JSON.stringify(text).slice(0, 30) })))(
    'a name of $shown is stored whole or refused',
    async ({ text }) => {
      const answer = await app.root.call<{ id: number; name: string }>('POST', '/api/token/', {
        name: text,
      })
      expect(answer.status).toBe(200)
      if (answer.success) expect(answer.data.name).toBe(text.toWellFormed())
      else expect(answer.message).not.toBe('')
    },
  )

  it.each(['abc', '-1', '99999999999999999999', '1e3', '%00', '1;2'])(
    'an id of %s finds nothing and breaks nothing',
    async (id) => {
      for (const path of ['/api/channel/', '/api/token/', '/api/user/']) {
        const answer = await app.root.call('GET', path + id)
        expect(answer.status).toBeLessThan(500)
        expect(answer.success).toBe(false)
      }
    },
  )
})

describe('relay: bad calls', () => {
  it.each<{ what: string; body: string; status: number; says: string }>([
    { what: 'malformed JSON', body: '{"model":', status: 400, says: 'JSON' },
    { what: 'no body', body: '', status: 400, says: '' },
    { what: 'a list', body: '[]', status: 400, says: '' },
    { what: 'no model', body: JSON.stringify({ messages: [] }), status: 400, says: 'model' },
    {
      what: 'a model that is a number',
      body: JSON.stringify({ model: 5, messages: [] }),
      status: 400,
      says: 'model',
    },
    { what: 'no messages', body: JSON.stringify({ model }), status: 400, says: 'messages' },
    {
      what: 'messages that are text',
      body: chatBody({ messages: 'Hi' }),
      status: 400,
      says: 'messages',
    },
    {
      what: 'a message that is null',
      body: chatBody({ messages: [null] }),
      status: 400,
      says: 'messages',
    },
    {
      what: 'an impossible max_tokens',
      body: chatBody({ max_tokens: 1e12 }),
      status: 400,
      says: 'max_tokens',
    },
    {
      what: 'a stream flag that is text',
      body: chatBody({ stream: 'yes' }),
      status: 400,
      says: 'stream',
    },
    {
      what: 'a model that nobody has',
      body: chatBody({ model: 'no-such-model' }),
      status: 404,
      says: 'no-such-model',
    },
  ])('answers $what in the OpenAI shape with $status', async ({ body, status, says }) => {
    const answer = await send('/v1/chat/completions', body, asClient())
    expect(answer.status).toBe(status)
    const error = answer.body['error'] as { message: string; type: string }
    expect(error.message).toContain(says)
    expect(error.type).toBe('invalid_request_error')
    expect(error.message).toContain('request id: ')
  })

  it('answers errors of the Messages route in its own shape', async () => {
    const answer = await send('/v1/messages', JSON.stringify({ model }), asClient())
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({ type: 'error', error: { type: 'invalid_request_error' } })
  })

  it.each([
    '',
    'Bearer ',
    'Bearer sk-',
    'Bearer sk-unknown',
    'Basic abc',
    `Bearer ${'x'.repeat(5_000)}`,
  ])('answers 401 to the key %j', async (authorization) => {
    const answer = await send('/v1/chat/completions', chatBody(), { ...json, authorization })
    expect(answer.status).toBe(401)
    expect(answer.body['error']).toMatchObject({ code: 'invalid_api_key' })
  })

  it.each(['foo', 'application', ';;', 'a/b/c', ''])(
    'answers a content type of %j with 415 and a sentence',
    async (type) => {
      const headers = { 'content-type': type }
      const relayed = await send('/v1/chat/completions', chatBody(), { ...asClient(), ...headers })
      expect(relayed).toMatchObject({ status: 415, body: { error: { code: 'invalid_request' } } })
      const console = await send('/api/token/', '{}', { ...asRoot(), ...headers })
      expect(console).toMatchObject({ status: 415, body: { success: false } })
    },
  )

  it.each([
    '/v1/responses/resp_%00x',
    '/v1/responses/resp_%00x/input_items',
    '/suno/fetch/task%00x',
    '/mj/task/1%00x/fetch',
  ])('knows nothing by an id with a NUL: %s', async (path) => {
    const { status } = await fetch(app.url + path, { headers: asClient() })
    expect(status).toBeLessThan(500)
  })

  it('charges nobody for any of it', async () => {
    const self = await customer.client.get<{ quota: number; used_quota: number }>('/api/user/self')
    expect(self).toMatchObject({ quota: 1_000_000, used_quota: 0 })
    expect(upstream.callCount).toBe(0)
  })
})

describe('bodies that are too large', () => {
  const hundred = Buffer.alloc(100 * megabyte, 'x')

  it('answers a 100 MB relay body above the limit with 413', async () => {
    const answer = await send('/v1/chat/completions', hundred, asClient())
    expect(answer.status).toBe(413)
    expect(answer.body['error']).toMatchObject({ code: 'request_too_large' })
  })

  it('answers a 100 MB console body with 413 and an envelope', async () => {
    const answer = await send('/api/token/', hundred, asRoot())
    expect(answer).toMatchObject({ status: 413, body: { success: false } })
  })

  it('stops unpacking a small archive of a large body', async () => {
    const headers = { ...asClient(), 'content-encoding': 'gzip' }
    const answer = await send('/v1/chat/completions', gzipSync(hundred), headers)
    expect(answer.status).toBe(413)
  })

  it('answers a broken archive with 400', async () => {
    const headers = { ...asClient(), 'content-encoding': 'gzip' }
    const answer = await send('/v1/chat/completions', Buffer.from('no archive'), headers)
    expect(answer.status).toBe(400)
  })
})

describe('after all of it', () => {
  it('is the same process, healthy, and met no fault that it had not foreseen', async () => {
    expect((await fetch(`${app.url}/healthz`)).status).toBe(200)
    expect(app.process.log()).not.toContain('unhandled error')
  })
})
