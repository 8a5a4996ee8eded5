import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { errorType } from '../../contract/errors.ts'
import type { Access } from '../../contract/http.ts'
import type { BotCheck } from '../../contract/plugin.ts'
import { createCoreServices, type CoreServices } from '../../../test/harness/core-services.ts'
import { databaseKinds } from '../../../test/harness/databases.ts'
import { createCallers, type Callers } from '../../accounts/callers.ts'
import { holdCaller } from '../../accounts/hold-caller.ts'
import { Sessions } from '../../accounts/sessions.ts'
import { createRateLimits } from '../../limits/rate-limits.ts'
import { createErrorEdge } from '../error-edge.ts'
import { registerGuards } from './guards.ts'
import { createRateClasses } from './rate-classes.ts'

const levels: Access[] = ['public', 'try-user', 'session', 'user', 'admin', 'root', 'options']

/** Ids of the rows that every test begins with. */
const ADA = 1
const ADMIN = 2
const ROOT = 3
const BANNED = 4
const GONE = 5
const BLANK = 6
const STRANGE = 7

let services: CoreServices
let sessions: Sessions
let callers: Callers
let app: FastifyInstance
let botChecks: BotCheck[] = []
/** Who must set up a second factor first. */
let lacking = 0
const wrong = errorType('wrong', 400, { en: 'No.', zh: '否。' })

beforeAll(async () => {
  services = await createCoreServices(databaseKinds[0]!)
})
afterAll(() => services.close())

beforeEach(async () => {
  await addUsers()
  sessions = new Sessions(services)
  callers = createCallers(services)
  botChecks = []
  lacking = 0
  app = Fastify({ trustProxy: ['127.0.0.1'] })
  const limit = (count: number) => ({ isEnabled: true, limit: count, windowSeconds: 180 })
  registerGuards(app, {
    sessions,
    callers,
    rateClasses: createRateClasses({
      rateLimits: createRateLimits({ redis: undefined }),
      settings: { 'global-api': limit(30), 'global-web': limit(60), critical: limit(2) },
    }),
    botChecks: () => botChecks,
    optionMinRole: 10,
    lacksFactor: async ({ id }) => id === lacking,
    hold: (caller, ...how) => holdCaller(services.database, caller, ...how),
    serverAddress: () => '',
    isDemo: () => false,
  })
  app.setErrorHandler(createErrorEdge({ relayError: () => expect.fail(), errorStatus: new Map() }))
  for (const access of levels) {
    app.get(`/api/${access}`, { config: { access } }, (request) => ({
      success: true,
      caller: request.caller,
      address: request.clientAddress,
    }))
  }
  app.get('/api/critical', { config: { access: 'public', rate: 'critical' } }, () => ({}))
  app.get('/api/set-up', { config: { access: 'user', beforeFactor: true } }, () => ({
    success: true,
  }))
  app.get('/api/checked', { config: { access: 'public', botCheck: true } }, () => ({
    success: true,
  }))
  app.post('/api/sign-in/:id', { config: { access: 'public' } }, async (request, reply) => {
    await request.session.signIn(reply, Number((request.params as { id: string }).id))
    return {}
  })
  app.post('/api/sign-out', { config: { access: 'public' } }, async ({ session }, reply) => {
    await session.signOut(reply)
    return { userId: session.userId }
  })
})

afterEach(async () => {
  await app.close()
  sessions.close()
  callers.close()
  await services.removeAccounts()
})

async function addUsers(): Promise<void> {
  const hash = (id: number) => services.secrets.lookup('access-token', `token-${id}`)
  const add = (id: number, username: string, role: number, more = '1, NULL') =>
    services.database.run(
      `INSERT INTO users (id, username, role, access_token, status, deleted_at)
       VALUES (:id, :username, :role, :hash, ${more})`,
      { id, username, role, hash: hash(id) },
    )
  await add(ADA, 'ada', 1)
  await add(ADMIN, 'admin', 10)
  await add(ROOT, 'root', 100)
  await add(BANNED, 'banned', 10, '2, NULL')
  await add(GONE, 'gone', 1, "1, '2026-01-01 00:00:00'")
  await add(BLANK, ' ', 1)
  await add(STRANGE, 'strange', 5)
}

interface Call {
  token?: string
  cookie?: string
  user?: string
  language?: string
  from?: string
}

async function call(path: string, { token, cookie, user, language, from }: Call = {}) {
  const response = await app.inject({
    url: path,
    headers: {
      ...(token === undefined ? {} : { authorization: token }),
      ...(cookie === undefined ? {} : { cookie }),
      ...(user === undefined ? {} : { 'New-API-User': user }),
      ...(language === undefined ? {} : { 'accept-language': language }),
      ...(from === undefined ? {} : { 'x-forwarded-for': from }),
    },
  })
  const body = response.json<{
    success: boolean
    message: string
    code: string
    caller: { id: number; by: string } | null
    address: string
  }>()
  return { status: response.statusCode, headers: response.headers, ...body }
}

async function signIn(id: number, headers: Record<string, string> = {}): Promise<string> {
  const response = await app.inject({ method: 'POST', url: `/api/sign-in/${id}`, headers })
  return [response.headers['set-cookie']].flat()[0] ?? ''
}

const withToken = (id: number) => ({ token: `Bearer token-${id}`, user: String(id) })

describe('the guard of a console route', () => {
  it.each([
    { it: 'nothing', call: {}, status: 401, code: 'auth.required' },
    {
      it: 'an unknown token',
      call: { token: 'x', user: '1' },
      status: 401,
      code: 'auth.token_unknown',
    },
    {
      it: 'no user header',
      call: { token: 'token-1' },
      status: 401,
      code: 'auth.user_header_missing',
    },
    {
      it: 'a user header that is no number',
      call: { token: 'token-1', user: '1x' },
      status: 401,
      code: 'auth.user_header_malformed',
    },
    {
      it: 'the id of somebody else',
      call: { token: 'token-1', user: '3' },
      status: 401,
      code: 'auth.user_header_mismatch',
    },
    {
      it: 'the token of a banned user',
      call: withToken(BANNED),
      status: 200,
      code: 'access.banned',
    },
    {
      it: 'the token of a deregistered user',
      call: withToken(GONE),
      status: 401,
      code: 'auth.token_unknown',
    },
    {
      it: 'the token of a user without a name',
      call: withToken(BLANK),
      status: 200,
      code: 'access.account_invalid',
    },
    {
      it: 'the token of a user whose role does not exist',
      call: withToken(STRANGE),
      status: 200,
      code: 'access.account_invalid',
    },
  ])('refuses $it with $code', async ({ call: input, status, code }) => {
    expect(await call('/api/user', input)).toMatchObject({ status, code, success: false })
  })

  it.each([
    { level: 'user', refused: [], let: [ADA, ADMIN, ROOT] },
    { level: 'admin', refused: [ADA], let: [ADMIN, ROOT] },
    { level: 'options', refused: [ADA], let: [ADMIN, ROOT] },
    { level: 'root', refused: [ADA, ADMIN], let: [ROOT] },
  ])(
    'lets $let and not $refused through at level $level',
    async ({ level, refused, let: allowed }) => {
      for (const id of refused) {
        const answer = await call(`/api/${level}`, withToken(id))
        expect(answer).toMatchObject({ status: 200, success: false, code: 'access.role_too_low' })
      }
      for (const id of allowed) {
        expect((await call(`/api/${level}`, withToken(id))).caller?.id).toBe(id)
      }
    },
  )

  it('takes a raw access token as well', async () => {
    expect((await call('/api/user', { token: 'token-1', user: '1' })).caller?.by).toBe(
      'access-token',
    )
  })

  it('prefers the session and does not look at the token then', async () => {
    const cookie = await signIn(ADA)
    const answer = await call('/api/user', { cookie, token: 'wrong', user: '1' })
    expect(answer.caller).toMatchObject({ id: ADA, by: 'session' })
  })

  it('takes only a session at level session, without a user header', async () => {
    const cookie = await signIn(ADA)
    expect((await call('/api/session', { cookie })).caller?.id).toBe(ADA)
    expect((await call('/api/session', withToken(ADA))).status).toBe(401)
  })

  it.each([BLANK, STRANGE])('refuses the session of the broken account %i there', async (id) => {
    const cookie = await signIn(id)
    expect(await call('/api/session', { cookie })).toMatchObject({ code: 'access.account_invalid' })
  })

  it('lets who lacks a second factor only set one up, at every level', async () => {
    lacking = ADMIN
    const cookie = await signIn(ADMIN)
    const path = (level: string) => call(`/api/${level}`, { cookie, user: String(ADMIN) })
    for (const level of ['session', 'user', 'admin', 'options'])
      expect(await path(level)).toMatchObject({ code: 'auth.factor_required' })
    expect(await call('/api/admin', withToken(ADMIN))).toMatchObject({ success: false })
    for (const level of ['public', 'try-user', 'set-up'])
      expect(await path(level)).toMatchObject({ success: true })
    expect((await call('/api/user', withToken(ADA))).success).toBe(true)
  })

  it('uses a session at level try-user and demands none', async () => {
    expect(await call('/api/try-user')).toMatchObject({ success: true, caller: null })
    const cookie = await signIn(ADA)
    expect((await call('/api/try-user', { cookie, user: '-1' })).caller?.id).toBe(ADA)
  })

  it('counts the session of a banned user as gone', async () => {
    const cookie = await signIn(ADA)
    expect((await call('/api/user', { cookie, user: '1' })).success).toBe(true)
    await services.database.run('UPDATE users SET status = 2 WHERE id = 1')
    await services.cluster.publish('user.changed', { userId: ADA })
    expect(await call('/api/user', { cookie, user: '1' })).toMatchObject({ status: 401 })
  })

  it('counts a user who was banned while this node was cut off as gone', async () => {
    const cookie = await signIn(ADA)
    expect((await call('/api/user', { cookie, user: '1' })).success).toBe(true)
    await services.database.run('UPDATE users SET status = 2 WHERE id = 1')
    await services.bus.gap()
    expect(await call('/api/user', { cookie, user: '1' })).toMatchObject({ status: 401 })
  })

  it('answers in the language that is asked for', async () => {
    const inEnglish = await call('/api/user', { language: 'fr, en;q=0.8, zh;q=0.3' })
    const inChinese = await call('/api/user', { language: 'zh-CN,zh;q=0.9,en;q=0.8' })
    expect(inEnglish.message).toContain('not signed in')
    expect(inChinese.message).toContain('未登录')
  })

  it.each([
    { what: 'an end that has passed', end: 1, status: 401 },
    { what: 'an end to come', end: 4_000_000_000, status: 200 },
  ])('answers $status to an access token with $what', async ({ end, status }) => {
    await services.database.run('UPDATE users SET access_token_expires_at = :end WHERE id = :id', {
      end,
      id: ADA,
    })
    expect((await call('/api/user', { token: 'token-1', user: '1' })).status).toBe(status)
  })
})

describe('the handshake of a WebSocket', () => {
  const shake = async (headers: Record<string, string>) => {
    const cookie = await signIn(ADA)
    const answer = await app.inject({
      url: '/api/session',
      headers: { host: 'gate.test', upgrade: 'websocket', cookie, ...headers },
    })
    return answer.json<{ success: boolean; code?: string }>()
  }

  it.each<Record<string, string>>([
    { origin: 'http://gate.test' },
    { origin: 'http://gate.test', host: 'Gate.Test' },
    { origin: 'https://gate.test', 'sec-fetch-site': 'cross-site' },
    { origin: 'https://behind.a.proxy', 'sec-fetch-site': 'same-origin' },
    {},
  ])('is taken from our own page or from a program: %j', async (headers) => {
    expect(await shake(headers)).toMatchObject({ success: true })
  })

  it.each<Record<string, string>>([
    { origin: 'http://gate.test:8080' },
    { origin: 'https://blog.gate.test', 'sec-fetch-site': 'same-site' },
    { origin: 'null' },
  ])('is refused from other pages, whose browsers send the cookie: %j', async (headers) => {
    expect(await shake(headers)).toMatchObject({ code: 'request.cross_site' })
  })
})

describe('routes under /api', () => {
  it.each([{}, { config: {} }, { config: { access: 'everybody' as Access } }])(
    'fail the start when they do not say who may call them: %j',
    (options) => {
      expect(() => app.get('/api/forgotten', options as object, () => ({}))).toThrow(
        'GET /api/forgotten does not state its access',
      )
    },
  )

  it('need no access outside of it', () => {
    expect(() => app.get('/apidocs', () => ({}))).not.toThrow()
  })
})

describe('the session cookie', () => {
  it('is HttpOnly, SameSite=Strict and kept for 30 days', async () => {
    expect(await signIn(ADA)).toMatch(
      /^session=[0-9A-Za-z]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Strict$/,
    )
  })

  it('is Secure when a trusted proxy says https', async () => {
    expect(await signIn(ADA, { 'x-forwarded-proto': 'https' })).toContain('; Secure')
  })

  it('is taken back at sign-out, and worth nothing to whoever has kept it', async () => {
    const cookie = await signIn(ADA)
    const headers = { cookie }
    const response = await app.inject({ method: 'POST', url: '/api/sign-out', headers })
    expect(response.json()).toEqual({ userId: null })
    expect(response.headers['set-cookie']).toBe(
      'session=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict',
    )
    expect((await call('/api/user', { cookie, user: '1' })).status).toBe(401)
  })

  it('changes at sign-in, and the old one is worth nothing', async () => {
    const before = await signIn(ADA)
    const after = await signIn(ADMIN, { cookie: before })
    expect((await call('/api/user', { cookie: before, user: '1' })).status).toBe(401)
    expect((await call('/api/user', { cookie: after, user: '2' })).caller?.id).toBe(ADMIN)
  })
})

describe('the device cookie', () => {
  const setBy = async (id: number, headers: Record<string, string> = {}) => {
    const response = await app.inject({ method: 'POST', url: `/api/sign-in/${id}`, headers })
    return [response.headers['set-cookie']].flat()[1] ?? ''
  }

  it('is set at sign-in, for half a year and the console calls only', async () => {
    const cookie = await setBy(ADA)
    expect(cookie).toMatch(
      /^device=[0-9A-Za-z]{43}; Path=\/api; Max-Age=15552000; HttpOnly; SameSite=Strict$/,
    )
    const rows = await services.database.select('SELECT * FROM known_devices')
    expect(JSON.stringify(rows)).not.toContain(cookie.slice(7, 50))
    expect(await setBy(ADA, { 'x-forwarded-proto': 'https' })).toContain('; Secure')
  })

  it('lets nobody in', async () => {
    const cookie = (await setBy(ADA)).split(';', 1)[0]!
    expect((await call('/api/user', { cookie, user: '1' })).status).toBe(401)
  })
})

describe('limits by address', () => {
  it('refuses the third critical call and says when to come again', async () => {
    await call('/api/critical', { from: '192.0.2.1' })
    await call('/api/critical', { from: '192.0.2.1' })
    const refused = await call('/api/critical', { from: '192.0.2.1' })
    expect(refused).toMatchObject({ status: 429, success: false, code: 'rate.exceeded' })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect((await call('/api/critical', { from: '192.0.2.2' })).status).toBe(200)
  })

  it('counts every call under /api', async () => {
    for (let calls = 0; calls < 30; calls += 1) await call('/api/public', { from: '192.0.2.3' })
    expect((await call('/api/user', { from: '192.0.2.3' })).status).toBe(429)
  })

  it.each([
    { from: '192.0.2.4', address: '192.0.2.4' },
    { from: '::ffff:192.0.2.4', address: '192.0.2.4' },
    { from: 'made-up', address: '127.0.0.1' },
  ])('takes $from behind a trusted proxy for $address', async ({ from, address }) => {
    expect((await call('/api/public', { from })).address).toBe(address)
  })
})

describe('the bot check', () => {
  it('wants a token, and once passed is not asked for again in that session for ten minutes', async () => {
    const seen: string[] = []
    botChecks = [
      { id: 'test', isEnabled: () => true, check: async (token) => void seen.push(token) },
    ]
    for (const query of ['', '?turnstile='])
      expect(await call(`/api/checked${query}`)).toMatchObject({
        status: 200,
        code: 'bot_check.token_missing',
      })
    const passedAtMs = Date.now()
    const clock = vi.spyOn(Date, 'now').mockReturnValue(passedAtMs)
    const passed = await call('/api/checked?turnstile=abc')
    expect(passed.success).toBe(true)
    const cookie = String(passed.headers['set-cookie'])
    clock.mockReturnValue(passedAtMs + 10 * 60_000 - 1)
    expect((await call('/api/checked', { cookie })).success).toBe(true)
    clock.mockReturnValue(passedAtMs + 10 * 60_000)
    expect((await call('/api/checked', { cookie })).success).toBe(false)
    expect(seen).toEqual(['abc'])
  })

  const refuse = () => Promise.reject(wrong())
  const check = (id: string, work: BotCheck['check']): BotCheck => ({
    id,
    isEnabled: () => true,
    check: work,
  })

  it('is passed by one of several, that which the console names first of all', async () => {
    const seen: string[] = []
    botChecks = [check('one', refuse), check('two', async () => void seen.push('two'))]
    expect((await call('/api/checked?turnstile=abc')).success).toBe(true)
    expect(await call('/api/checked?turnstile=abc&bot_check=one')).toMatchObject({ code: 'wrong' })
    botChecks = [check('one', refuse), check('two', refuse)]
    expect(await call('/api/checked?turnstile=abc')).toMatchObject({ code: 'wrong' })
  })

  it.each([
    ['is asked for no token', ''],
    ['refuses everybody', '?turnstile=abc'],
  ])(
    'keeps no browser out in which an admin has signed in before: one that %s',
    async (_, query) => {
      botChecks = [check('one', refuse)]
      const device = async (id: number) => {
        const response = await app.inject({ method: 'POST', url: `/api/sign-in/${id}` })
        const cookies = [response.headers['set-cookie'] ?? []].flat()
        return cookies.find((line) => line.startsWith('device='))?.split(';', 1)[0] ?? ''
      }
      const path = `/api/checked${query}`
      expect((await call(path, { cookie: await device(ADMIN) })).success).toBe(true)
      expect((await call(path, { cookie: await device(ADA) })).success).toBe(false)
      expect((await call(path, { cookie: await device(BANNED) })).success).toBe(false)
      expect((await call(path, { cookie: 'device=guessed' })).success).toBe(false)
    },
  )
})
