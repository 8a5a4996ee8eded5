// What a page of another site can make a browser send to /api, and what it may read; and NUL, which nothing lets in.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addCustomer, type App, type Customer, rootAccount, startApp } from '#test'

const folder = mkdtempSync(join(tmpdir(), 'plugins-'))
const elsewhere = 'https://evil.example'

let app: App
let customer: Customer

function plugin(id: string, routes: string): void {
  mkdirSync(join(folder, id))
  const server = `({ routes }) => { routes.add((app) => { ${routes} }) }`
  const manifest = `{ id: '${id}', version: '1.0.0', contract: '^1.0', server: ${server} }`
  const text = `import { definePlugin } from 'tollgate'\nexport default definePlugin(${manifest})\n`
  writeFileSync(join(folder, id, 'index.js'), text)
}

beforeAll(async () => {
  plugin('any-door', "app.get('/:any/door', { config: { access: 'admin' } }, () => ({}))")
  plugin('no-door', "app.get('/plain-door', () => ({}))")
  plugin(
    'form-door',
    `app.post('/api/form-door', { config: { access: 'public', takesForms: true } }, (request) => request.body)
     app.get('/guarded-door', { config: { access: 'admin' } }, () => ({ success: true }))`,
  )
  const env = { PLUGIN_DIRS: folder, GLOBAL_API_RATE_LIMIT_ENABLE: 'false' }
  app = await startApp({ env, plugins: ['form-door'] })
  customer = await addCustomer(app.root, 'visitor', 1_000)
})

afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true })
})

interface Call {
  method?: string
  headers?: Record<string, string>
  body?: string
}

function call(path: string, { method = 'POST', headers = {}, body }: Call = {}) {
  return new Promise<{ status: number; headers: Record<string, unknown>; text: string }>(
    (resolve, reject) => {
      const sent = request(app.url + path, { method, headers })
      sent.on('response', (response) => {
        let text = ''
        response.on('data', (chunk: Buffer) => (text += chunk.toString()))
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
        )
      })
      sent.on('error', reject)
      sent.end(body)
    },
  )
}

const json = { 'content-type': 'application/json' }
const signIn = JSON.stringify(rootAccount)
const asRoot = () => ({ cookie: app.root.sessionCookie, 'new-api-user': String(app.root.userId) })

describe('a body that a form or a page of another site can send', () => {
  it.each<Record<string, string>>([
    { 'content-type': 'text/plain' },
    { 'content-type': 'text/plain;application/json' },
    { 'content-type': 'application/x-www-form-urlencoded' },
    { 'content-type': 'multipart/form-data; boundary=x' },
    {},
  ])('is no JSON body with %j', async (headers) => {
    for (const path of ['/api/user/login', '/api/setup', '/api/user/register']) {
      const answer = await call(path, { headers, body: signIn })
      expect(answer.status, path).toBe(415)
      expect(answer.headers['set-cookie']).toBeUndefined()
      expect(JSON.parse(answer.text)).toMatchObject({ success: false, code: 'request.not_json' })
    }
  })

  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'Application/JSON;charset=UTF-8',
  ])('is taken as %s from our own page or from no page', async (type) => {
    const { host } = new URL(app.url)
    const pages: Record<string, string>[] = [
      {},
      { origin: `http://${host}` },
      { origin: `https://${host}` },
      { origin: 'https://behind.a.proxy', 'sec-fetch-site': 'same-origin' },
    ]
    for (const more of pages) {
      const headers = { 'content-type': type, ...more }
      const answer = await call('/api/user/login', { headers, body: signIn })
      expect(JSON.parse(answer.text), JSON.stringify(more)).toMatchObject({ success: true })
    }
  })

  it('may be a form where a route says so', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: elsewhere }
    const answer = await call('/api/form-door', { headers, body: 'trade=1&sign=a%20b' })
    expect(JSON.parse(answer.text)).toEqual({ trade: '1', sign: 'a b' })
  })
})

describe('a change that another site asks for', () => {
  it.each<Record<string, string>>([
    { origin: elsewhere },
    { origin: 'null' },
    { origin: elsewhere, 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'cross-site' },
  ])('is refused with %j', async (from) => {
    for (const [method, path] of [
      ['POST', '/api/user/login'],
      ['POST', '/api/setup'],
      ['PUT', '/api/option/'],
      ['DELETE', '/api/token/1'],
    ] as const) {
      const answer = await call(path, {
        method,
        headers: { ...json, ...asRoot(), ...from },
        ...(method === 'DELETE' ? {} : { body: signIn }),
      })
      expect(answer.status, path).toBe(403)
      expect(JSON.parse(answer.text)).toMatchObject({ code: 'request.cross_site' })
    }
  })

  it('is refused from a page with our own name that the browser takes for another site', async () => {
    const from = { origin: `https://${new URL(app.url).host}`, 'sec-fetch-site': 'cross-site' }
    const answer = await call('/api/channel/fix', { headers: { ...asRoot(), ...from } })
    expect(JSON.parse(answer.text)).toMatchObject({ code: 'request.cross_site' })
  })

  it('is taken from the page at ServerAddress, and a call without a body too', async () => {
    const from = { origin: 'https://console.example', 'sec-fetch-site': 'same-site' }
    const path = '/api/channel/fix'
    expect((await call(path, { headers: { ...asRoot(), ...from } })).status).toBe(403)
    await app.root.put('/api/option/', { key: 'ServerAddress', value: 'https://console.example/' })
    expect((await call(path, { headers: { ...asRoot(), ...from } })).status).toBe(200)
    expect((await call(path, { headers: asRoot() })).status).toBe(200)
  })
})

describe('what another site may read', () => {
  it.each(['/api/status', '/api/setup', '/api/option/', '/api/nothing', '/api/user/self'])(
    'is nothing of %s, and nobody keeps it',
    async (path) => {
      const headers = { ...asRoot(), origin: elsewhere }
      const answer = await call(path, { method: 'GET', headers })
      expect(answer.headers['access-control-allow-origin']).toBeUndefined()
      expect(answer.headers['cache-control']).toBe('no-store')
      const preflight = await call(path, { method: 'OPTIONS', headers })
      expect(preflight.headers['access-control-allow-origin']).toBeUndefined()
    },
  )

  it('is nothing of the playground, which a session pays for', async () => {
    const headers = { ...asRoot(), ...json, origin: elsewhere }
    const answer = await call('/pg/chat/completions', { headers, body: '{}' })
    expect(answer.status).toBe(403)
    expect(answer.headers['access-control-allow-origin']).toBeUndefined()
  })

  it.each(['/v1/models', '/v1/chat/completions', '/mj/task/1/fetch', '/suno/fetch/1'])(
    'is every answer of %s: its caller brings a key',
    async (path) => {
      const method = path === '/v1/chat/completions' ? 'POST' : 'GET'
      const headers = { authorization: `Bearer ${customer.key}`, origin: elsewhere }
      const answer = await call(path, { method, headers })
      expect(answer.headers['access-control-allow-origin']).toBe('*')
      expect(answer.headers['access-control-expose-headers']).toBe('*')
    },
  )
})

describe('the routes of a plugin', () => {
  it.each(['any-door', 'no-door'])('are refused when %s could let everybody in', async (id) => {
    const refused = await app.root.switchPlugin(id, true)
    expect(refused).toMatchObject({ success: false, code: 'plugins.not_loadable' })
    expect(refused.message).toContain('the route /')
    expect((await call('/api/door', { method: 'GET' })).status).toBe(404)
  })

  it.each(['/guarded-door', '/guarded-door/', '/%67uarded-door', '/guarded-door?x=/api/'])(
    'are guarded at %s as they declare',
    async (path) => {
      expect((await call(path, { method: 'GET' })).status).toBe(401)
      expect((await call(path, { method: 'GET', headers: asRoot() })).status).toBe(200)
    },
  )

  it.each(['/api/mj/task/1/fetch', '/%61pi/mj/task/1/fetch', '/v1/mj/task/1/fetch'])(
    'do not answer for others where their first name is open: %s',
    async (path) => {
      const headers = { 'mj-api-secret': customer.key }
      expect((await call(path, { method: 'GET', headers })).status).toBe(404)
    },
  )
})

describe('a NUL', () => {
  it.each<[string, string, string | undefined]>([
    ['POST', '/api/user/login', '{"username":"a\\u0000","password":"12345678"}'],
    ['POST', '/api/form-door', '{"a":[{"b":"\\u0000"}]}'],
    ['POST', '/api/form-door', '{"a\\u0000":1}'],
    ['GET', '/api/user/%00', undefined],
    ['GET', '/api/log/?username=a%00', undefined],
    ['GET', '/v1/responses/a%00b', undefined],
    ['GET', '/v1/models/a%00b', undefined],
    ['POST', '/v1beta/models/a%00b:generateContent', '{}'],
  ])('in %s %s is refused with a sentence', async (method, path, body) => {
    const isApi = path.startsWith('/api')
    const headers: Record<string, string> = isApi
      ? { ...json, ...asRoot() }
      : { authorization: `Bearer ${customer.key}` }
    const answer = await call(path, { method, headers, ...(body === undefined ? {} : { body }) })
    expect(answer.status).toBe(isApi ? 200 : 400)
    expect(answer.text).toContain('NUL')
  })

  it('that is only spelled out in a text is a text', async () => {
    const body = JSON.stringify({ a: 'write \\u0000 for it' })
    const answer = await call('/api/form-door', { headers: json, body })
    expect(answer.text).toBe(body)
  })
})

it('meets no fault that was not foreseen', () => {
  expect(app.process.log()).not.toContain('unhandled error')
})
