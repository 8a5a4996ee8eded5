// Part 1, 0.1, 1.1, 1.3 and 1.5: what holds for every call under /api.
import { expect } from 'vitest'
import type { Stage } from '../stage.ts'
import type { Room } from '../table.ts'

async function raw({ app }: Stage, path: string, headers: Record<string, string>, init = {}) {
  const response = await fetch(app.url + path, { redirect: 'manual', headers, ...init })
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    body: (text.startsWith('{') ? JSON.parse(text) : { text }) as Record<string, unknown>,
  }
}

export const conventionsRoom: Room = {
  subject: 'what holds for every call',
  calls: [],
  stories: [
    {
      it: 'wants the user header to be the own id, with a session and with a token',
      run: async (stage) => {
        const { user } = stage.callers
        const token = await user.get<string>('/api/user/token')
        const ways: Record<string, string>[] = [
          { cookie: user.sessionCookie },
          { authorization: token },
        ]
        for (const who of ways) {
          const read = (header?: string) =>
            raw(stage, '/api/user/self', {
              ...who,
              ...(header === undefined ? {} : { 'NEW-api-USER': header }),
            })
          for (const [header, code] of [
            [undefined, 'auth.user_header_missing'],
            ['one', 'auth.user_header_malformed'],
            ['1', 'auth.user_header_mismatch'],
          ] as const) {
            expect(await read(header)).toMatchObject({
              status: 401,
              body: { success: false, code },
            })
          }
          expect(await read(String(user.userId))).toMatchObject({ status: 200 })
        }
      },
    },
    {
      it: 'answers 401 to an unknown token, and does not look at it beside a session',
      run: async (stage) => {
        const { user } = stage.callers
        const header = { 'New-Api-User': String(user.userId), authorization: 'Bearer unknown' }
        expect(await raw(stage, '/api/user/self', header)).toMatchObject({
          status: 401,
          body: { code: 'auth.token_unknown' },
        })
        const both = { ...header, cookie: user.sessionCookie }
        expect((await raw(stage, '/api/user/self', both)).status).toBe(200)
      },
    },
    {
      it: 'takes no relay key on a route of the console',
      run: async (stage) => {
        const { user } = stage.callers
        const { key } = await user.post<{ key: string }>('/api/token/', { name: 'relay' })
        const header = { 'New-Api-User': String(user.userId), authorization: `Bearer sk-${key}` }
        expect((await raw(stage, '/api/user/self', header)).status).toBe(401)
      },
    },
    {
      // The document has 200 for his token; a ban ends the token as well, for it may be its reason.
      it: 'lets a banned user in neither by token nor by session',
      run: async (stage) => {
        const client = await stage.account('conventions-banned')
        const token = await client.get<string>('/api/user/token')
        const id = client.userId
        await stage.callers.admin.post('/api/user/manage', { id, action: 'disable' })
        const header = { 'New-Api-User': String(id) }
        const byToken = await raw(stage, '/api/user/self', { ...header, authorization: token })
        expect(byToken.status).toBe(401)
        const cookie = client.sessionCookie
        expect((await raw(stage, '/api/user/self', { ...header, cookie })).status).toBe(401)
      },
    },
    {
      it: 'ignores -1, which consoles send while nobody is signed in',
      run: async (stage) => {
        expect((await raw(stage, '/api/status', { 'New-API-User': '-1' })).status).toBe(200)
        expect((await raw(stage, '/api/pricing', { 'New-API-User': '-1' })).status).toBe(200)
      },
    },
    {
      it: 'answers 404 with both forms of error to a path or a method that is not there',
      run: async (stage) => {
        for (const [path, method] of [
          ['/api/x', 'GET'],
          ['/api/user/self', 'POST'],
          ['/api/status', 'DELETE'],
        ] as const) {
          const answer = await raw(stage, path, {}, { method })
          expect(answer.status).toBe(404)
          expect(answer.body).toMatchObject({
            success: false,
            message: `Invalid URL (${method} ${path})`,
            code: 'route.missing',
            error: {
              message: `Invalid URL (${method} ${path})`,
              type: 'invalid_request_error',
              param: '',
              code: '',
            },
          })
        }
        for (const path of ['/v1/x', '/assets/x', '/pg/x', '/mj/x', '/suno/x', '/dashboard/x']) {
          const answer = await raw(stage, path, {})
          expect(answer.status, path).toBe(404)
          expect(answer.body, path).toMatchObject({
            error: { message: `Invalid URL (GET ${path})` },
          })
        }
      },
    },
    {
      it: 'answers other paths with the console, never from a cache',
      run: async (stage) => {
        const { status, headers } = await raw(stage, '/token', {})
        expect(status).toBe(200)
        expect(headers.get('content-type')).toMatch(/text\/html/)
        expect(headers.get('cache-control')).toBe('no-cache')
      },
    },
    {
      it: 'speaks the language that is asked for, English where none is',
      run: async (stage) => {
        const message = async (language: string) =>
          (await raw(stage, '/api/user/self', { 'accept-language': language })).body['message']
        expect(await message('zh-CN,zh;q=0.9')).toMatch(/未登录/)
        expect(await message('fr')).toMatch(/not signed in/)
      },
    },
    {
      it: 'opens nothing to other origins, but the log of a key',
      run: async (stage) => {
        const origin = { origin: 'https://elsewhere.example' }
        const allowed = async (path: string) =>
          (await raw(stage, path, origin)).headers.get('access-control-allow-origin')
        expect(await allowed('/api/status')).toBeNull()
        expect(await allowed('/api/log/token?key=sk-x')).toBe('*')
      },
    },
    {
      // The document takes JSON under any type; decision 10 does not, for a form of another site could send it.
      it: 'takes JSON by its type only, and refuses what is too large, both with the envelope',
      run: async (stage) => {
        const send = (type: string, body: string) =>
          raw(stage, '/api/user/login', { 'content-type': type }, { method: 'POST', body })
        expect(await send('text/plain', '{}')).toMatchObject({
          status: 415,
          body: { success: false },
        })
        const large = JSON.stringify({ username: 'x'.repeat(100_000) })
        expect(await send('application/json', large)).toMatchObject({
          status: 413,
          body: { success: false, message: expect.stringMatching(/\S/) },
        })
      },
    },
    {
      it: 'takes null for every field of a form as absent',
      run: async ({ callers: { admin, user } }) => {
        const nulls = (names: string) =>
          Object.fromEntries(names.split(' ').map((name) => [name, null]))
        const token =
          'name remain_quota expired_time unlimited_quota model_limits allow_ips group status'
        const made = await user.post<{ id: number }>('/api/token/', nulls(token))
        await user.put('/api/token/', { ...nulls(token), id: made.id })
        const self = nulls('username display_name password original_password email setting')
        await user.put('/api/user/self', self)
        const account = nulls('username display_name password group quota role email')
        await admin.put('/api/user/', { ...account, id: user.userId })
        expect(await user.get('/api/user/self')).toMatchObject({ username: 'contract-user' })
        const code = { name: 'nulls', quota: 5, count: null, expired_time: null, status: null }
        expect(await admin.post<string[]>('/api/redemption/', code)).toHaveLength(1)
      },
    },
    {
      it: 'names the request in every answer of the whole server',
      run: async (stage) => {
        const ids = new Set<string | null>()
        const paths = ['/api/status', '/api/user/self', '/api/x', '/v1/models', '/v1/x', '/token']
        for (const path of paths)
          ids.add((await raw(stage, path, {})).headers.get('x-oneapi-request-id'))
        expect(ids.size).toBe(paths.length)
        expect(ids).not.toContain(null)
      },
    },
    {
      it: 'says refusals of business in Chinese, too',
      run: async (stage) => {
        const { admin } = stage.callers
        const answer = await raw(
          stage,
          '/api/user/',
          {
            'content-type': 'application/json',
            'accept-language': 'zh',
            cookie: admin.sessionCookie,
            'New-API-User': String(admin.userId),
          },
          { method: 'POST', body: JSON.stringify({ username: '', password: '' }) },
        )
        expect(answer.body).toMatchObject({ success: false, message: '用户名和密码不能为空。' })
      },
    },
    {
      it: 'is packed for who takes gzip',
      run: async (stage) => {
        const { headers } = await raw(stage, '/api/status', { 'accept-encoding': 'gzip' })
        expect(headers.get('content-encoding')).toBe('gzip')
      },
    },
  ],
}
