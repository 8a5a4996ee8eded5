// Part 2, 12, 13 and 15: prices, the playground, and what desktop clients ask about a key.
import { Type } from '@sinclair/typebox'
import { expect } from 'vitest'
import { addChannel } from '../../harness/shop.ts'
import { mapOf, number, pricingRow, text } from '../shapes.ts'
import type { Stage } from '../stage.ts'
import type { Call, Room } from '../table.ts'

let key = ''

async function ask({ app }: Stage, path: string, secret = key) {
  const headers = { authorization: `Bearer ${secret}` }
  const response = await fetch(app.url + path, { headers })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

async function play(stage: Stage, body: object, headers: Record<string, string>) {
  const response = await fetch(`${stage.app.url}/pg/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  return { status: response.status, headers: response.headers, body: await response.text() }
}

const sessionOf = ({ callers: { user } }: Stage) => ({
  cookie: user.sessionCookie,
  'New-API-User': String(user.userId),
})

const turn = { messages: [{ role: 'user', content: 'hi' }], model: 'priced', group: 'default' }

const billing = ['subscription', 'usage'].flatMap((name) =>
  ['', '/v1'].map(
    (prefix): Call => ({
      method: 'GET',
      path: `${prefix}/dashboard/billing/${name}`,
      access: 'key',
    }),
  ),
)

export const offersRoom: Room = {
  subject: 'prices, playground and billing',
  prepare: async (stage) => {
    const { app, callers, upstream, option } = stage
    const models = 'priced,by-call,unset'
    await addChannel(app.root, { base_url: upstream.url, models, group: 'default,vip,hidden' })
    await option('GroupRatio', '{"default":1,"vip":0.5,"hidden":2}')
    await option('UserUsableGroups', '{"default":"For all","vip":"For some"}')
    await option('ModelRatio', '{"priced":2}')
    await option('CompletionRatio', '{"priced":3}')
    await option('ModelPrice', '{"by-call":0.5}')
    await app.root.put('/api/user/', { id: callers.user.userId, quota: 5_000_000 })
    const token = { name: 'offers', remain_quota: 1_000_000, expired_time: 4_000_000_000 }
    key = `sk-${(await callers.user.post<{ key: string }>('/api/token/', token)).key}`
  },
  calls: [
    {
      method: 'GET',
      path: '/api/pricing',
      access: 'public',
      answers: [
        {
          it: 'answers rows, and groups next to them',
          data: Type.Array(pricingRow, { minItems: 3 }),
          beside: { group_ratio: mapOf(number), usable_group: mapOf(text) },
        },
      ],
    },
    {
      method: 'POST',
      path: '/pg/chat/completions',
      access: 'player',
      probe: { body: { model: '' } },
    },
    ...billing,
    { method: 'GET', path: '/api/usage/token', access: 'key' },
  ],
  stories: [
    {
      it: 'tells the figures of a key to whoever holds it',
      run: async (stage) => {
        expect(await ask(stage, '/api/usage/token')).toMatchObject({
          status: 200,
          body: {
            success: true,
            code: true,
            message: 'ok',
            data: {
              object: 'token_usage',
              name: 'offers',
              total_granted: 1_000_000,
              total_used: 0,
              total_available: 1_000_000,
              unlimited_quota: false,
              model_limits: {},
              model_limits_enabled: false,
              expires_at: 4_000_000_000,
            },
          },
        })
        expect(await ask(stage, '/api/usage/token', 'sk-unknown')).toMatchObject({
          status: 401,
          body: { success: false, code: 'token.key_unknown' },
        })
      },
    },
    {
      it: 'names each model once, by name, with its way of billing; groups of others stay unsaid',
      run: async (stage) => {
        const { body } = await stage.callers.anonymous.call('GET', '/api/pricing/')
        const shown = body as { data: { model_name: string }[] } & Record<string, unknown>
        const rows = shown.data.filter(({ model_name: name }) =>
          /^(by-call|priced|unset)$/.test(name),
        )
        expect(rows).toMatchObject([
          {
            model_name: 'by-call',
            quota_type: 1,
            model_price: 0.5,
            model_ratio: 0,
            completion_ratio: 0,
          },
          {
            model_name: 'priced',
            quota_type: 0,
            model_price: 0,
            model_ratio: 2,
            completion_ratio: 3,
          },
          { model_name: 'unset', quota_type: 0, model_price: 0, model_ratio: 37.5 },
        ])
        expect(shown['usable_group']).toEqual({ default: 'For all', vip: 'For some' })
        expect(shown['group_ratio']).toEqual({ default: 1, vip: 0.5 })
        expect(JSON.stringify(shown)).not.toContain('hidden')
      },
    },
    {
      it: 'offers default to visitors and the own group to users, where they have a ratio',
      run: async (stage) => {
        const { admin, anonymous, user } = stage.callers
        await stage.option('UserUsableGroups', '{"vip":"For some","gone":"No ratio"}')
        expect(Object.keys(await anonymous.get('/api/user/groups'))).toEqual(['default', 'vip'])
        await admin.put('/api/user/', { id: user.userId, group: 'hidden' })
        expect(await user.get('/api/user/self/groups')).toMatchObject({
          hidden: { ratio: 2, desc: expect.stringMatching(/\S/) },
          vip: { ratio: 0.5, desc: 'For some' },
        })
        expect(await user.get('/api/user/models')).toEqual(
          expect.arrayContaining(['by-call', 'priced']),
        )
        await admin.put('/api/user/', { id: user.userId, group: 'default' })
        await stage.option('UserUsableGroups', '{"default":"For all","vip":"For some"}')
      },
    },
    {
      it: 'lets the playground talk by the session only, in a group that is usable',
      run: async (stage) => {
        const session = sessionOf(stage)
        const code = async (body: object, headers: Record<string, string> = session) => {
          const answer = await play(stage, body, headers)
          const { error } = JSON.parse(answer.body) as { error: { code: string; message: string } }
          expect(error.message).not.toBe('')
          return `${answer.status} ${error.code}`
        }
        expect((await play(stage, turn, {})).status).toBe(401)
        expect(await code({ ...turn, model: '' })).toBe('400 model_required')
        expect(await code({ ...turn, group: 'hidden' })).toBe('403 group_not_allowed')
        const token = await stage.callers.user.get<string>('/api/user/token')
        const byToken = { authorization: token, 'New-API-User': session['New-API-User'] }
        expect(await code(turn, byToken)).toBe('400 access_token_not_supported')
      },
    },
    {
      it: 'streams a turn of the playground until [DONE], with max_tokens 0 as none',
      run: async (stage) => {
        const sent = { ...turn, stream: true, max_tokens: 0, temperature: 0.7 }
        const answer = await play(stage, sent, sessionOf(stage))
        expect(answer.status).toBe(200)
        expect(answer.headers.get('content-type')).toMatch(/^text\/event-stream/)
        expect(answer.headers.get('x-accel-buffering')).toBe('no')
        expect(answer.body).toMatch(/"delta":\{[^}]*"content":"Hello/)
        expect(answer.body.trimEnd()).toMatch(/data: \[DONE\]$/)
        expect(stage.upstream.calls.at(-1)?.body).toMatchObject({ stream: true })
        expect(stage.upstream.calls.at(-1)?.body).not.toHaveProperty('max_tokens')
        const { items } = await stage.callers.admin.get<{ items: object[] }>(
          '/api/log/?type=2&token_name=playground-default',
        )
        expect(items).toMatchObject([{ token_id: 0, group: 'default', model_name: 'priced' }])
      },
    },
    {
      it: 'tells the figures of a key as older billing calls do',
      run: async (stage) => {
        for (const prefix of ['', '/v1']) {
          expect(await ask(stage, `${prefix}/dashboard/billing/subscription`)).toEqual({
            status: 200,
            body: {
              object: 'billing_subscription',
              has_payment_method: true,
              soft_limit_usd: 2,
              hard_limit_usd: 2,
              system_hard_limit_usd: 2,
              access_until: 4_000_000_000,
            },
          })
          const dates = '?start_date=2026-01-01&end_date=2026-02-01'
          expect(await ask(stage, `${prefix}/dashboard/billing/usage${dates}`)).toEqual({
            status: 200,
            body: { object: 'list', total_usage: 0 },
          })
        }
        await stage.option('DisplayInCurrencyEnabled', 'false')
        expect((await ask(stage, '/dashboard/billing/subscription')).body).toMatchObject({
          hard_limit_usd: 1_000_000,
        })
        await stage.option('DisplayInCurrencyEnabled', 'true')
      },
    },
    {
      it: 'answers billing calls to pages of any origin',
      run: async ({ app }) => {
        for (const method of ['GET', 'OPTIONS']) {
          const response = await fetch(`${app.url}/dashboard/billing/usage`, {
            method,
            headers: {
              origin: 'https://elsewhere.example',
              'access-control-request-method': 'GET',
            },
          })
          expect(response.headers.get('access-control-allow-origin'), method).toBe('*')
        }
      },
    },
    {
      it: 'tells the figures of its owner where the operator wants that, and no end',
      run: async (stage) => {
        const { user } = stage.callers
        await stage.option('DisplayTokenStatEnabled', 'false')
        const self = await user.get<{ quota: number; used_quota: number }>('/api/user/self')
        const limit = (self.quota + self.used_quota) / 500_000
        const { body } = await ask(stage, '/dashboard/billing/subscription')
        expect(body).toMatchObject({ hard_limit_usd: limit, access_until: 0 })
        await stage.option('DisplayTokenStatEnabled', 'true')
        const free = { name: 'free', unlimited_quota: true, expired_time: -1 }
        const made = await user.post<{ key: string }>('/api/token/', free)
        const shown = await ask(stage, '/dashboard/billing/subscription', `sk-${made.key}`)
        expect(shown.body).toMatchObject({ hard_limit_usd: 100_000_000, access_until: 0 })
      },
    },
  ],
}
