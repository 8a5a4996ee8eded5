import { Validator } from '@seriousme/openapi-schema-validator'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { definePlugin, envelope, Type } from '#core'
import { type App, createPluginApp, type InjectClient, type PluginApp, startApp } from '#test'
import apiDocs from './index.ts'

/** Comes after the documentation: what it adds is described all the same. */
const shop = definePlugin({
  id: 'shop',
  server({ routes }) {
    const amount = Type.Integer({ minimum: 1, description: 'In units.' })
    const schema = { summary: 'Buys units', body: Type.Object({ amount }) }
    routes.add((app) => {
      app.get('/api/shop/', { config: { access: 'public' } }, () => envelope())
      app.post('/api/shop/buy', { config: { access: 'user' }, schema }, () => envelope())
      app.delete('/api/shop/:id', { config: { access: 'admin' } }, () => envelope())
      app.get('/api/shop/secret', { config: { access: 'root' } }, () => envelope())
      app.get('/api/shop/options', { config: { access: 'options' } }, () => envelope())
    })
  },
})

let app: PluginApp
let clients: Record<'visitor' | 'user' | 'admin' | 'root', InjectClient>

beforeAll(async () => {
  app = await createPluginApp({ plugins: [apiDocs, shop] })
  const password = 'correct horse'
  const make = async (username: string, role: number) => {
    const { id } = await app.accounts.create({ username, password, role, by: 'setup' })
    return app.signedIn(id)
  }
  clients = {
    visitor: app.client(),
    user: await make('ada', 1),
    admin: await make('boss', 10),
    root: await make('owner', 100),
  }
})

afterAll(() => app.close())

interface RelayCall {
  tags: string[]
  summary?: string
  parameters?: { name: string; in: string }[]
  requestBody?: {
    content: Record<
      string,
      { schema: { properties: object; required?: string[] }; example?: object }
    >
  }
  responses: Record<string, { content?: object }>
}

interface Document {
  openapi: string
  paths: Record<
    string,
    Record<
      string,
      {
        tags: string[]
        security: object[]
        parameters?: { name: string; in: string }[]
        requestBody?: unknown
      }
    >
  >
}

async function documentFor(who: keyof typeof clients): Promise<Document> {
  return (await clients[who].call('GET', '/docs/json')) as unknown as Document
}

/** Those of the shop; the gateway has more of its own. */
const callsOf = ({ paths }: Document) =>
  Object.entries(paths)
    .filter(([path]) => path.includes('/shop'))
    .flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )

const forVisitors = ['GET /api/shop/']
const forUsers = [...forVisitors, 'POST /api/shop/buy']
const forAdmins = [...forUsers, 'DELETE /api/shop/{id}', 'GET /api/shop/options']

describe('the API documentation', () => {
  it.each([
    ['visitor', forVisitors],
    ['user', forUsers],
    ['admin', forAdmins],
    ['root', [...forAdmins, 'GET /api/shop/secret']],
  ] as const)('describes to a %s what he may call', async (who, calls) => {
    const document = await documentFor(who)
    expect(document.openapi).toBe('3.1.0')
    expect(callsOf(document).sort()).toEqual([...calls].sort())
  })

  it('says what a call does, what its body holds and which credentials it takes', async () => {
    const { paths } = await documentFor('user')
    expect(paths['/api/shop/buy']?.post).toMatchObject({
      tags: ['shop'],
      summary: 'Buys units',
      security: [
        { session: [], user: [] },
        { accessToken: [], user: [] },
      ],
      requestBody: {
        content: {
          'application/json': {
            schema: {
              properties: { amount: { type: 'integer', minimum: 1, description: 'In units.' } },
              required: ['amount'],
            },
          },
        },
      },
    })
  })

  it('names the site as its settings do at the moment', async () => {
    expect(await documentFor('visitor')).toMatchObject({ info: { title: 'Tollgate' } })
    await app.options.set('SystemName', 'Harbour')
    await app.options.set('ServerAddress', 'https://harbour.example')
    expect(await documentFor('visitor')).toMatchObject({
      info: { title: 'Harbour' },
      servers: [{ url: 'https://harbour.example' }],
    })
  })

  it('is a page of files from here, under a policy that lets no other in', async () => {
    const page = await app.app.inject({ url: '/docs' })
    expect(page.headers['content-type']).toContain('text/html')
    expect(page.headers['content-security-policy']).toContain("default-src 'none'")
    const files = [...page.body.matchAll(/(?:src|href)="(\/docs\/page\/[^"]+)"/g)].map(
      ([, file]) => file ?? '',
    )
    expect(files).toHaveLength(4)
    for (const url of files) {
      const plain = await app.app.inject({ url })
      expect(plain.statusCode).toBe(200)
      const packed = await app.app.inject({ url, headers: { 'accept-encoding': 'gzip' } })
      expect(packed.headers['content-encoding']).toBe('gzip')
      expect(packed.rawPayload.length).toBeLessThan(plain.rawPayload.length)
    }
  })

  it.each([['package.json'], ['..%2Findex.ts'], ['__proto__']])(
    'gives no other file: %s',
    async (file) => {
      const answer = await app.app.inject({ url: `/docs/page/${file}` })
      expect(answer.body).not.toContain('definePlugin')
      expect(answer.json()).toMatchObject({ success: false })
    },
  )
})

describe('the relay in the API documentation', () => {
  let gateway: App
  let paths: Record<string, Record<string, RelayCall>>
  beforeAll(async () => {
    gateway = await startApp({ isWithin: true })
    const answer = await fetch(`${gateway.url}/docs/json`)
    paths = ((await answer.json()) as { paths: typeof paths }).paths
  })
  afterAll(() => gateway.close())

  it.each([
    '/v1/chat/completions',
    '/v1/messages',
    '/v1/responses',
    '/v1beta/models/{model}:generateContent',
    '/v1beta/models/{model}:streamGenerateContent',
  ])('says what the body of %s holds, with an example, and what the answer', (path) => {
    const body = paths[path]?.['post']?.requestBody?.content['application/json']
    const named = Object.keys(body?.schema.properties ?? {})
    expect(named).toEqual(expect.arrayContaining(Object.keys(body?.example ?? { none: 1 })))
    expect(Object.keys(body?.example ?? {})).toEqual(
      expect.arrayContaining(body?.schema.required ?? ['none']),
    )
    expect(paths[path]?.['post']?.responses['200']?.content).toBeDefined()
  })

  it('says that a call of the relay takes a key', () => {
    expect(paths['/v1/chat/completions']?.['post']).toMatchObject({
      tags: ['relay: openai-chat'],
      security: [{ token: [] }],
    })
  })

  it('spells what stands behind a path with an action, takes forms, and says what is not served', () => {
    expect(paths['/v1beta/models/{model}:generateContent']?.['post']?.parameters).toMatchObject([
      { name: 'model', in: 'path' },
    ])
    const form = paths['/v1/audio/transcriptions']?.['post']?.requestBody?.content
    expect(Object.keys(form ?? {})).toEqual(['multipart/form-data'])
    expect(paths['/v1/files']?.['get']?.summary).toContain('501')
  })

  it('is a sound document of OpenAPI, with all that anybody may call', async () => {
    const { body: document } = await gateway.root.call('GET', '/docs/json')
    const { valid, errors } = await new Validator().validate(document)
    expect(errors ?? []).toEqual([])
    expect(valid).toBe(true)
    const shown = Object.entries(document['paths'] as Document['paths'])
    expect(shown.length).toBeGreaterThan(150)
    for (const [path, methods] of shown) {
      const inPath = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name)
      for (const { parameters = [] } of Object.values(methods)) {
        const described = parameters.filter((one) => one.in === 'path').map(({ name }) => name)
        expect(new Set(described), path).toEqual(new Set(inPath))
      }
    }
    const calls = document['paths'] as Record<string, { get: RelayCall }>
    expect(calls['/api/log/export']?.get.responses['200']?.content).toHaveProperty(['text/csv'])
    expect(document['paths']).toHaveProperty(['/v1/files/{rest}', 'get'])
  })

  it('has its place told to the console', async () => {
    const status = await fetch(`${gateway.url}/api/status`)
    expect(await status.json()).toMatchObject({ data: { api_docs_path: '/docs' } })
  })

  it('leaves no route of the gateway and its plugins without a line of words', async () => {
    const { root } = gateway
    const plugins = await root.get<{ id: string; enabled: boolean }[]>('/api/plugin')
    for (const { id } of plugins.filter(({ enabled }) => !enabled)) {
      expect(await root.switchPlugin(id, true)).toMatchObject({ success: true })
    }
    const { body } = await root.call('GET', '/docs/json')
    const all = Object.entries(body['paths'] as typeof paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { tags, summary = '' }]) => ({
        call: `${method} ${path}`,
        isOfRelay: tags[0]?.startsWith('relay'),
        summary,
      })),
    )
    expect(all.filter(({ isOfRelay }) => isOfRelay).length).toBeGreaterThan(50)
    expect(all.filter(({ isOfRelay }) => !isOfRelay).length).toBeGreaterThan(150)
    const isLine = (text: string) => text !== '' && text.length <= 80 && !text.includes('\n')
    expect(all.filter(({ summary }) => !isLine(summary))).toEqual([])
  })

  it('names the unit of every time and amount, the base of every page, and no value that is refused', async () => {
    const { body } = await gateway.root.call('GET', '/docs/json')
    const own = Object.entries(body['paths'] as typeof paths).filter(([path]) =>
      path.startsWith('/api/'),
    )
    const read = own.flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { parameters = [], requestBody }]) =>
        [
          ...parameters.map(({ name, ...rest }): [string, object] => [name, rest]),
          ...Object.entries(requestBody?.content['application/json']?.schema.properties ?? {}),
        ].map(([name, field]) => ({ name, field, call: `${method} ${path}` })),
      ),
    )
    const needsWords = /(_timestamp|_time|_offset|_size|quota|amount|^p)$/
    const lacksWords = (field: object) =>
      !/"description"|"type":"boolean"/.test(JSON.stringify(field))
    expect(read.filter(({ name }) => name.endsWith('_timestamp')).length).toBeGreaterThan(10)
    expect(read.filter(({ name, field }) => needsWords.test(name) && lacksWords(field))).toEqual([])
    expect(read.filter(({ field }) => JSON.stringify(field).includes('Hash;'))).toEqual([])
    const status = read.find(({ call, name }) => call === 'get /api/user/' && name === 'status')
    expect(status?.field).toMatchObject({ description: expect.stringContaining('deleted') })
  })

  it.each([
    ['/api/channel/search', ['p', 'page_size']],
    ['/api/log/stat', ['p', 'page_size', 'type']],
    ['/api/log/export', ['p', 'page_size']],
    ['/api/log/self', ['username', 'channel']],
    ['/api/data/users', ['username', 'user_id', 'default_time', 'timezone_offset']],
    ['/api/data/self', ['username', 'user_id']],
  ])('names no filter of %s that would do nothing', async (path, without) => {
    const { body } = await gateway.root.call('GET', '/docs/json')
    const described = (body['paths'] as typeof paths)[path]?.['get']?.parameters ?? []
    const names = described.map(({ name }) => name)
    expect(names).not.toEqual([])
    expect(names.filter((name) => without.includes(name))).toEqual([])
  })
})
