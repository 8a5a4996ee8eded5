// A demo site: its accounts are anybody's, so that who is not the super admin changes nothing there.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  addChannel,
  addCustomer,
  ApiClient,
  type App,
  type Customer,
  type FakeUpstream,
  fakeUpstream,
  setPrice,
  startApp,
} from '#test'

const password = 'a public password'

let app: App
let upstream: FakeUpstream
let customer: Customer
let boss: ApiClient
let visitor: ApiClient

beforeAll(async () => {
  app = await startApp({ isWithin: true })
  upstream = await fakeUpstream()
  await addChannel(app.root, { base_url: upstream.url, models: 'shown' })
  await setPrice(app.root, 'shown', 1)
  customer = await addCustomer(app.root, 'looker', 1_000_000)
  await app.root.post('/api/user/', { username: 'boss', password, display_name: 'Boss' })
  const { items } = await app.root.get<{ items: { id: number; username: string }[] }>('/api/user/')
  const id = items.find(({ username }) => username === 'boss')?.id
  await app.root.post('/api/user/manage', { id, action: 'promote' })
  await app.root.put('/api/option/', { key: 'DemoSiteEnabled', value: 'true' })
  boss = await new ApiClient(app.url).signIn('boss', password)
  visitor = new ApiClient(app.url)
})

afterAll(async () => {
  await app.close()
  await upstream.close()
})

/** Reads by POST, signs in, or is the notice of a payment provider. */
const open: ReadonlySet<string> = new Set([
  'post /api/user/login',
  'post /api/user/login/2fa',
  'post /api/user/login/passkey',
  'post /api/user/passkey/login/begin',
  'post /api/user/passkey/login/finish',
  'post /api/setup',
  'post /api/channel/models_unpriced',
  'post /api/user/amount',
  'post /api/user/epay/amount',
  'post /api/user/stripe/amount',
  'post /api/user/epay/notify',
  'post /api/stripe/webhook',
])
const acting = [
  'get /api/channel/test',
  'get /api/channel/test/1',
  'get /api/channel/update_balance',
  'get /api/channel/fetch_models/1',
  'get /api/user/token',
  'get /api/verification?email=a%40b.example',
  'get /api/reset_password?email=a%40b.example',
  'get /api/oauth/email/bind?email=a%40b.example&code=1',
  'get /api/oauth/telegram/bind',
]

async function writingCalls(): Promise<string[]> {
  const document = await fetch(`${app.url}/docs/json`, {
    headers: { cookie: app.root.sessionCookie },
  })
  const { paths } = (await document.json()) as { paths: Record<string, object> }
  return Object.entries(paths)
    .filter(([path]) => path.startsWith('/api/'))
    .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method} ${path}`))
    .filter((call) => !call.startsWith('get '))
    .map((call) => call.replaceAll(/\{\w+\}/g, '1'))
}

async function answers(client: ApiClient, calls: readonly string[]) {
  const found = new Map<string, string>()
  for (const call of calls) {
    const [method = '', path = ''] = call.split(' ')
    const { status, code } = await client.call(
      method.toUpperCase(),
      path,
      method === 'get' ? undefined : {},
    )
    found.set(call, `${status} ${code}`)
  }
  return found
}

describe('a demo site', () => {
  it('refuses everything that changes anything to admins, users and visitors', async () => {
    const calls = (await writingCalls()).filter((call) => !open.has(call))
    expect(calls.length).toBeGreaterThan(40)
    for (const client of [boss, customer.client, visitor]) {
      const refused = await answers(client, [...calls, ...acting])
      const others = [...refused].filter(([, answer]) => answer !== '405 demo.read_only')
      const without = others.filter(
        ([, answer]) => !/^(?:401 auth\.required|200 access\.role_too_low)$/.test(answer),
      )
      expect(without).toEqual([])
    }
    const byBoss = await answers(boss, [
      'put /api/channel/',
      'put /api/option',
      'delete /api/user/self',
    ])
    expect(new Set(byBoss.values())).toEqual(new Set(['405 demo.read_only']))
  })

  it('lets people sign in by passkey, as by password', async () => {
    const path = '/api/user/passkey/login'
    const beginning = await visitor.call('POST', `${path}/begin`, {})
    // A passkey belongs to a domain, and this gateway has an address; a demo site has nothing to say about it.
    expect(beginning).toMatchObject({ status: 200, code: 'passkey.needs_domain' })
    for (const call of [`${path}/finish`, '/api/user/login/passkey'])
      expect((await visitor.call('POST', call, {})).code, call).not.toBe('demo.read_only')
  })

  it('shows everything all the same', async () => {
    for (const path of ['/api/channel/', '/api/user/', '/api/log/', '/api/option/'])
      expect((await boss.call('GET', path)).success, path).toBe(true)
    for (const path of ['/api/token/', '/api/user/self', '/api/log/self'])
      expect((await customer.client.call('GET', path)).success, path).toBe(true)
    expect(await visitor.call('GET', '/api/pricing')).toMatchObject({ success: true })
    const names = await boss.call('POST', '/api/channel/models_unpriced', { models: ['shown'] })
    expect(names.success).toBe(true)
  })

  it('serves the models, by key and in the playground', async () => {
    const body = JSON.stringify({ model: 'shown', messages: [{ role: 'user', content: 'Hi' }] })
    const byKey = await fetch(`${app.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${customer.key}` },
      body,
    })
    expect(byKey.status).toBe(200)
    const here = await fetch(`${app.url}/pg/chat/completions`, {
      method: 'POST',
      headers: {
        cookie: customer.client.sessionCookie,
        'New-API-User': String(customer.client.userId),
        'content-type': 'application/json',
      },
      body,
    })
    expect(here.status).toBe(200)
  })

  it('leaves it all to the super admin, who ends it', async () => {
    await app.root.put('/api/option/', { key: 'Notice', value: 'Welcome' })
    await app.root.put('/api/option/', { key: 'DemoSiteEnabled', value: 'false' })
    const changed = await customer.client.call('PUT', '/api/user/self', { display_name: 'Looker' })
    expect(changed).toMatchObject({ status: 200, success: true })
  })
})
