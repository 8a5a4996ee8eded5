import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { LogRecord, PluginServices, TokenIdentity, UsageLogQuery } from '#core'
import { createErrorEdge } from '../../core/http/error-edge.ts'
import { registerGuards } from '../../core/http/access/guards.ts'
import { compileValidator } from '../../core/http/validation.ts'
import { createRateLimits } from '../../core/limits/rate-limits.ts'
import { clearingRoutes } from './clearing-routes.ts'
import { adminLogRoutes, ownLogRoutes } from './routes.ts'
import { tokenLogRoutes } from './token-routes.ts'

/** A row as the log service returns it. */
const row: LogRecord = {
  id: 5000,
  user_id: 7,
  username: 'ada',
  created_at: 1_760_000_000,
  type: 2,
  content: 'model ratio 1.00',
  token_name: 'laptop',
  token_id: 3,
  model_name: 'gpt-4o',
  quota: 12,
  prompt_tokens: 8,
  completion_tokens: 4,
  use_time: 1,
  use_time_ms: 1_234,
  is_stream: false,
  channel: 9,
  channel_name: 'vendor one',
  group: 'default',
  other:
    '{"frt":12,"model_ratio":1,"admin_info":{"use_channel":["9"],"attempts":[{"channel_id":9}]}}',
  request_id: 'r1',
}
const errorRow: LogRecord = {
  ...row,
  type: 5,
  content: 'status 502: vendor.example.com is down',
  other:
    '{"status_code":502,"channel_id":9,"channel_name":"vendor one","channel_type":1,"admin_info":{}}',
}

let app: FastifyInstance
let rows: LogRecord[]
/** The queries that the routes sent to the log service. */
let asked: {
  query?: UsageLogQuery
  page?: unknown
  keyword?: string
  userId?: number
  before?: number
  most?: number | undefined
}

const usageLog: PluginServices['usageLog'] = {
  list: async (query, page) => {
    asked = { query, page }
    return { items: rows, total: rows.length, total_exact: true }
  },
  slices: async function* (query) {
    asked = { query }
    yield rows
  },
  channelNames: async () => new Map([[9, 'vendor one']]),
  stat: async (query) => {
    asked = { query }
    return { quota: 12, rpm: 1, tpm: 12 }
  },
  search: async (keyword, userId) => {
    asked = { keyword, ...(userId === undefined ? {} : { userId }) }
    return rows
  },
  deleteBefore: async (before, most) => {
    asked = { before, most }
    return 3
  },
}

const tokens = {
  authenticate: async (key: string) =>
    (key === 'abc' || key === 'banned' || key === 'inside'
      ? {
          tokenId: 3,
          userStatus: key === 'banned' ? 2 : 1,
          allowAddresses: key === 'inside' ? ['10.1.2.0/24'] : [],
        }
      : undefined) as TokenIdentity | undefined,
} as PluginServices['tokens']

beforeEach(() => {
  rows = [row]
  asked = {}
  const rateLimits = createRateLimits({ redis: undefined })
  const users = [
    { id: 7, username: 'ada', role: 1, status: 1, group: 'default', access_token: 'ada' },
    { id: 8, username: 'boss', role: 10, status: 1, group: 'default', access_token: 'boss' },
  ]
  app = Fastify({ routerOptions: { ignoreTrailingSlash: true } })
  app.setValidatorCompiler(compileValidator as never)
  registerGuards(app, {
    sessions: {} as never,
    callers: {
      byId: async (id) => users.find((user) => user.id === id),
      byAccessToken: async (token) => users.find(({ username }) => username === token),
      close: () => undefined,
    },
    rateClasses: { admit: async () => undefined },
    botChecks: () => [],
    optionMinRole: 10,
    lacksFactor: async () => false,
    hold: async () => undefined,
    serverAddress: () => '',
    isDemo: () => false,
  })
  app.setErrorHandler(
    createErrorEdge({
      relayError: () => expect.fail(),
      errorStatus: new Map([['logs.too_many_tries', 429]]),
    }),
  )
  adminLogRoutes(app, { usageLog })
  const clear = (target: number) => usageLog.deleteBefore(target)
  const nothing = async () => {}
  const clearing = { clear, begin: nothing, cancel: nothing, last: async () => null }
  clearingRoutes(app, clearing, { usageLog })
  ownLogRoutes(app, { usageLog })
  void app.register((scope) => tokenLogRoutes(scope, { usageLog, tokens, rateLimits }))
})

afterEach(() => app.close())

async function call(url: string, as: 'ada' | 'boss' | 'nobody', method: 'GET' | 'DELETE' = 'GET') {
  const headers =
    as === 'nobody' ? {} : { authorization: as, 'new-api-user': as === 'ada' ? '7' : '8' }
  const answer = await app.inject({ method, url, headers })
  return { status: answer.statusCode, headers: answer.headers, ...answer.json() }
}

describe('the log of all users', () => {
  it.each([
    ['GET', '/api/log/'],
    ['GET', '/api/log/stat'],
    ['GET', '/api/log/search'],
    ['DELETE', '/api/log/?target_timestamp=5'],
  ] as const)('%s %s is for admins only', async (method, url) => {
    expect(await call(url, 'nobody', method)).toMatchObject({ status: 401, success: false })
    expect(await call(url, 'ada', method)).toMatchObject({ status: 200, success: false })
    expect(asked).toEqual({})
    expect(await call(url, 'boss', method)).toMatchObject({
      status: 200,
      success: true,
      message: '',
    })
  })

  it('shows rows with the names of the channels that were tried, and the page', async () => {
    const answer = await call('/api/log/?p=2&page_size=20', 'boss')
    const attempts = [{ channel_id: 9, channel_name: 'vendor one' }]
    expect(JSON.parse(answer.data.items[0].other).admin_info.attempts).toEqual(attempts)
    expect(answer.data).toEqual({
      items: [{ ...row, other: expect.any(String) }],
      total: 1,
      total_exact: true,
      page: 2,
      page_size: 20,
    })
    expect(asked.page).toEqual({ page: 2, pageSize: 20 })
  })

  it('hands every filter to the log service', async () => {
    const filters =
      'type=2&username=ada&token_name=laptop&model_name=%25gpt%25&start_timestamp=1&end_timestamp=2&channel=9&group=vip'
    await call(`/api/log/?${filters}`, 'boss')
    expect(asked.query).toEqual({
      type: 2,
      username: 'ada',
      tokenName: 'laptop',
      modelName: '%gpt%',
      start: 1,
      end: 2,
      channelId: 9,
      group: 'vip',
    })
  })

  it('looks for a request by its id as it was copied', async () => {
    const requestId = '20261123120254329724323LbCwnRxu'
    await call(`/api/log/?request_id=%20${requestId}`, 'boss')
    expect(asked.query).toEqual({ requestId })
    await call(`/api/log/self/?request_id=${requestId}&start_timestamp=5`, 'ada')
    expect(asked.query).toEqual({ requestId, start: 5, userId: 7 })
  })

  it('takes what cannot be read for not given', async () => {
    const filters =
      'p=x&page_size=-1&type=0&username=&start_timestamp=NaN&end_timestamp=undefined&channel=abc&group='
    await call(`/api/log/?${filters}`, 'boss')
    expect(asked).toEqual({ query: {}, page: { page: 1, pageSize: 10 } })
  })

  it('is served without the last slash too', async () => {
    expect(await call('/api/log', 'boss')).toMatchObject({ success: true })
  })

  it('is deleted up to a time, never without one', async () => {
    expect(await call('/api/log/?target_timestamp=1760000000', 'boss', 'DELETE')).toMatchObject({
      data: 3,
    })
    expect(asked).toEqual({ before: 1_760_000_000, most: undefined })
    await call('/api/log/?target_timestamp=1760000000&limit=500', 'boss', 'DELETE')
    expect(asked).toEqual({ before: 1_760_000_000, most: 500 })
    asked = {}
    for (const time of [
      '',
      '?target_timestamp=0',
      '?target_timestamp=-5',
      '?target_timestamp=soon',
    ]) {
      expect(await call(`/api/log/${time}`, 'boss', 'DELETE')).toMatchObject({
        status: 200,
        success: false,
        code: 'logs.no_target_time',
      })
    }
    expect(asked).toEqual({})
  })
})

describe('the own log', () => {
  it('holds only own rows, whatever the filters say', async () => {
    await call('/api/log/self/?username=boss&channel=9&user_id=8&type=2', 'ada')
    expect(asked.query).toEqual({ userId: 7, type: 2 })
    await call('/api/log/self/stat?username=boss', 'ada')
    expect(asked.query).toEqual({ userId: 7 })
    await call('/api/log/self/search?keyword=5', 'ada')
    expect(asked).toEqual({ keyword: '5', userId: 7 })
  })

  it.each(['/api/log/self', '/api/log/self/search?keyword=2'])(
    '%s hides channels and ids',
    async (url) => {
      const { data } = await call(url, 'ada')
      const [shown] = data.items ?? data
      expect(shown).toEqual({
        ...row,
        id: 5000 % 1024,
        channel: 0,
        channel_name: '',
        other: '{"frt":12,"model_ratio":1}',
      })
    },
  )

  it('says of an error only that it was one', async () => {
    rows = [errorRow]
    const { data } = await call('/api/log/self', 'ada')
    expect(data.items[0].content).toBe('The provider could not answer this call (status 502).')
    expect(JSON.stringify(data)).not.toContain('vendor')
  })

  it.each(['', 'null', '{broken'])('shows an `other` of %j as empty text', async (other) => {
    rows = [{ ...row, type: 1, other }]
    const { data } = await call('/api/log/self', 'ada')
    expect(data.items[0]).toMatchObject({ other: '', content: row.content })
  })

  it('needs a signed-in user', async () => {
    expect(await call('/api/log/self', 'nobody')).toMatchObject({ status: 401 })
  })
})

describe('the log of a key', () => {
  const ask = (url: string, authorization?: string) =>
    app.inject({ url, headers: authorization === undefined ? {} : { authorization } })

  it.each([
    ['in the address', '/api/log/token?key=sk-abc', undefined],
    ['in the header', '/api/log/token', 'Bearer sk-abc'],
    ['in the header rather than in the address', '/api/log/token?key=sk-other', 'abc'],
  ])('is given for a key %s, to any origin', async (_, url, authorization) => {
    const answer = await ask(url, authorization)
    expect(answer.headers['access-control-allow-origin']).toBe('*')
    expect(answer.json()).toMatchObject({ success: true, data: [{ channel: 0, channel_name: '' }] })
    expect(asked).toEqual({ query: { tokenId: 3 }, page: { page: 1, pageSize: 1000 } })
  })

  it.each(['', '?key=', '?key=sk-unknown', '?key=sk-banned'])('is empty for %j', async (query) => {
    const answer = await ask(`/api/log/token${query}`)
    expect(answer.json()).toEqual({ success: true, message: '', data: [] })
    expect(asked).toEqual({})
  })

  it('is for nobody at an address from which the key may not be used', async () => {
    const answer = await ask('/api/log/token?key=sk-inside')
    expect(answer.json()).toMatchObject({ success: false, code: 'token.address_refused' })
    expect(asked).toEqual({})
  })

  it('answers the question that browsers ask first', async () => {
    const answer = await app.inject({ method: 'OPTIONS', url: '/api/log/token' })
    expect(answer.statusCode).toBe(204)
    expect(answer.headers['access-control-allow-headers']).toBe('authorization')
  })

  it('closes after twenty tries a minute', async () => {
    for (let tries = 0; tries < 20; tries++) await ask('/api/log/token?key=sk-guess')
    const answer = await ask('/api/log/token?key=sk-abc')
    expect(answer.statusCode).toBe(429)
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
    expect(answer.json()).toMatchObject({ success: false, code: 'logs.too_many_tries' })
  })

  it('counts the addresses of one IPv6 network together', async () => {
    const from = (host: number) =>
      app.inject({ url: '/api/log/token?key=sk-guess', remoteAddress: `2001:db8:0:1::${host}` })
    for (let host = 1; host <= 20; host++) await from(host)
    expect((await from(21)).statusCode).toBe(429)
  })

  it('opens no other route to other origins', async () => {
    const answer = await call('/api/log/self', 'ada')
    expect(answer.headers['access-control-allow-origin']).toBeUndefined()
  })
})
