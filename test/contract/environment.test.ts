// What the environment makes of the API: limits by address (part 1, 2.1), who may change options (1.2), a token for the setup (12).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ApiClient } from '../harness/api-client.ts'
import { type App, rootAccount, startApp } from '../harness/app.ts'
import calls from './calls.json' with { type: 'json' }

/** Critical calls of one address; the set-up and the sign-ins of this file take five. */
const limit = 6
let app: App
let admin: ApiClient

beforeAll(async () => {
  app = await startApp({
    isWithin: true,
    isSetUp: false,
    env: {
      SETUP_TOKEN: 'open sesame',
      OPTION_MIN_ROLE: '100',
      TRUSTED_PROXIES: '127.0.0.1/32',
      CRITICAL_RATE_LIMIT_ENABLE: 'true',
      CRITICAL_RATE_LIMIT: String(limit),
      CRITICAL_RATE_LIMIT_DURATION: '600',
      GLOBAL_API_RATE_LIMIT_ENABLE: 'true',
      GLOBAL_API_RATE_LIMIT: '40',
      GLOBAL_API_RATE_LIMIT_DURATION: '60',
    },
  })
})
afterAll(() => app.close())

describe('the setup token', () => {
  const { username, password } = rootAccount
  const setUp = (setup_token?: string) =>
    app.root.call('POST', '/api/setup', {
      username,
      password,
      confirmPassword: password,
      setup_token,
    })

  it('is asked for, and only with it somebody becomes super admin', async () => {
    expect(await app.root.call('GET', '/api/setup')).toMatchObject({
      data: { status: false, root_init: false, database_type: 'sqlite' },
    })
    for (const wrong of [undefined, 'sesame'])
      expect(await setUp(wrong)).toMatchObject({ status: 200, code: 'setup.token_wrong' })
    expect(await setUp('open sesame')).toMatchObject({ success: true })
    await app.root.signIn(username, password)
    await app.root.post('/api/user/', { username: 'admin', password })
    admin = await new ApiClient(app.url).signIn('admin', password)
    await app.root.post('/api/user/manage', { id: admin.userId, action: 'promote' })
  })
})

describe('OPTION_MIN_ROLE 100', () => {
  it.each([
    ['GET', '/api/option/'],
    ['PUT', '/api/option/'],
    ['POST', '/api/option/rest_model_ratio'],
    ['GET', '/api/plugin/'],
    ['PUT', '/api/plugin/'],
    ['GET', '/api/plugin/mail'],
  ])('keeps admins from %s %s', async (method, path) => {
    const body = method === 'PUT' ? { key: 'RetryTimes', id: 'none', enabled: true } : undefined
    expect(await admin.call(method, path, body)).toMatchObject({
      status: 200,
      code: 'access.role_too_low',
    })
    expect((await app.root.call(method, path, body)).code).not.toBe('access.role_too_low')
  })

  it('leaves the rest to them', async () => {
    expect(await admin.get('/api/group/')).toContain('default')
  })
})

/** Part 1, 4: the calls marked CT. */
const critical = [
  'POST /api/user/register',
  'POST /api/user/login',
  'GET /api/verification',
  'GET /api/reset_password',
  'POST /api/user/reset',
  ...['state', 'github', 'oidc', 'linuxdo', 'wechat', 'telegram/login', 'telegram/bind'].map(
    (name) => `GET /api/oauth/${name}`,
  ),
  'GET /api/oauth/wechat/bind',
  'GET /api/oauth/email/bind',
]

/** From an address of its own. */
function from(address: string, method: string, path: string): Promise<Response> {
  return fetch(app.url + path, {
    method,
    redirect: 'manual',
    headers: { 'x-forwarded-for': address, 'content-type': 'application/json' },
    ...(method === 'GET' ? {} : { body: '{}' }),
  })
}

describe('limits by address', () => {
  it.each(critical.map((call, at) => [call, `192.0.2.${at + 1}`]))(
    'end %s at the critical class, with the envelope and when to come again',
    async (call, address) => {
      const [method = '', path = ''] = call.split(' ')
      for (let tries = 0; tries < limit; tries += 1)
        expect((await from(address, method, path)).status).not.toBe(429)
      const refused = await from(address, method, path)
      expect(refused.status).toBe(429)
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(await refused.json()).toMatchObject({ success: false, code: 'rate.exceeded' })
    },
  )

  it('count all critical calls of an address together', async () => {
    const address = '198.51.100.1'
    for (let round = 0; round < limit / 3; round += 1) {
      await from(address, 'GET', '/api/oauth/state')
      await from(address, 'POST', '/api/user/login')
      await from(address, 'GET', '/api/reset_password')
    }
    expect((await from(address, 'POST', '/api/user/register')).status).toBe(429)
    expect((await from(address, 'GET', '/api/status')).status).toBe(200)
  })

  it('count every call under /api', async () => {
    const address = '198.51.100.2'
    for (let count = 0; count < 40; count += 1)
      expect((await from(address, 'GET', '/api/status')).status).toBe(200)
    for (const path of ['/api/status', '/api/pricing', '/dashboard/billing/usage'])
      expect((await from(address, 'GET', path)).status, path).toBe(429)
  })

  it('are marked for calls that exist', () => {
    const known = calls.map(({ method, path }) => `${method} ${path}`)
    expect(critical.filter((call) => !known.includes(call))).toEqual([])
  })
})
